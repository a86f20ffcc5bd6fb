import type { Sql } from 'postgres';
import type { RequestCountStore } from '#lib/auth/index.ts';
import { REQUEST_WINDOW_MS } from '#lib/auth/index.ts';

/**
 * Counts of requests in the table `rate_limit`, whose expired rows the limiter of sign-ins clears away. One statement for
 * all of them, always in the same order, so that two processes never wait for each other.
 */
export function createRequestCountStore(sql: Sql): RequestCountStore {
  return {
    async add(counts) {
      const rows = counts
        .map(({ key, window, count }) => ({ name: `${PREFIX}${window}:${key}`, count, expire: (window + 2) * REQUEST_WINDOW_MS }))
        .sort((a, b) => (a.name < b.name ? -1 : 1));
      const found = await sql`
        insert into rate_limit (key, points, expire)
        select * from unnest(${rows.map(({ name }) => name)}::text[], ${rows.map(({ count }) => count)}::int[], ${rows.map(({ expire }) => expire)}::bigint[])
        on conflict (key) do update set points = rate_limit.points + excluded.points
        returning key, points`;
      return found.map((row) => {
        const [, window = '', key = ''] = /^requests:(\d+):(.*)$/.exec(String(row.key)) ?? [];
        return { key, window: Number(window), count: Number(row.points) };
      });
    },
  };
}

const PREFIX = 'requests:';
