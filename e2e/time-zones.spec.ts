import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { auditPage } from '#lib/audit/contract.ts';
import { runPage } from '#lib/supervisor/contract.ts';
import { apiKeyPage } from '#lib/tenancy/contract.ts';
import { expect, test } from './fixtures.ts';
import { openOwnerDatabase, uuidOf } from './owner-database.ts';
import { newDatabaseName, type ProductInstance, prepareDatabase, startInstance } from './product-instance.ts';
import { expectRefusal } from './tenant-client.ts';
import { verifies } from './verifies-in-browser.ts';
import { bearer, foundFirstWorkspace, type Workspace } from './workspaces.ts';

/** Ahead of UTC without summer time; behind it by a half hour, with. */
const ZONES = ['Asia/Shanghai', 'America/St_Johns'] as const;
const converted = z.object({ instant: z.string(), to: z.object({ time: z.string() }) });

interface Place {
  readonly zone: (typeof ZONES)[number];
  readonly instance: ProductInstance;
  readonly workspace: Workspace;
}
const places: Place[] = [];
const migrations: Record<string, readonly number[]> = {};

test.beforeAll(async () => {
  test.setTimeout(120_000);
  const started = ZONES.map(async (zone): Promise<Place> => {
    const database = newDatabaseName('zone');
    const counts: number[] = [];
    // An empty database takes every migration at once, and then none.
    for (let time = 0; time < 2; time += 1) {
      await prepareDatabase(database, { TZ: zone });
      counts.push(await countMigrations(database));
    }
    migrations[zone] = counts;
    const instance = await startInstance(database, { TZ: zone });
    return { zone, instance, workspace: await foundFirstWorkspace(instance.origin) };
  });
  places.push(...(await Promise.all(started)));
});
test.afterAll(async () => {
  await Promise.all(places.map(({ instance }) => instance.stop()));
});

async function countMigrations(database: string): Promise<number> {
  const sql = openOwnerDatabase(database);
  try {
    const [row] = await sql`select count(*)::int as applied from drizzle.__drizzle_migrations`;
    return Number(row?.applied);
  } finally {
    await sql.end();
  }
}

verifies(['K24', 'P-28'], 'an empty database takes all migrations at once, and again none, in any zone', async () => {
  for (const zone of ZONES) {
    const [first, second] = migrations[zone] ?? [];
    expect(first).toBeGreaterThan(1);
    expect(second).toBe(first);
  }
});

verifies('K24', 'a run’s instants are the same in the API, its events, the audit log and the database', async () => {
  for (const { instance, workspace } of places) {
    const { api } = workspace;
    const askedAt = Date.now();
    const session = await api.createSession();
    const { runId } = (await api.ask(session.id, 'echo hello')).snapshot;
    const answeredAt = Date.now();
    const run = await api.getRun(runId);
    const events = await api.listEvents(runId);
    const audit = (await api.get(`/audit?run=${runId}`, auditPage)).items;
    expect(audit.length).toBeGreaterThan(2);
    const instants = [session.createdAt, run.createdAt, run.startedAt, run.endedAt, ...[...events, ...audit].map(({ at }) => at)];
    for (const text of instants) {
      expect(text).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      expect(Date.parse(text ?? '')).toBeGreaterThanOrEqual(askedAt);
      expect(Date.parse(text ?? '')).toBeLessThanOrEqual(answeredAt);
    }
    const sql = openOwnerDatabase(instance.database);
    try {
      const [row] = await sql`
        select extract(epoch from created_at)::float8 * 1000 as created, extract(epoch from ended_at)::float8 * 1000 as ended
        from run where id = ${uuidOf('run', runId)}`;
      expect([row?.created, row?.ended].map(Math.round)).toEqual([run.createdAt, run.endedAt].map((text) => Date.parse(text ?? '')));
      const submitted = await sql`
        select extract(epoch from at)::float8 * 1000 as at from audit_event where run_id = ${uuidOf('run', runId)} order by id`;
      expect(sorted(submitted.map(({ at }) => Math.round(at)))).toEqual(sorted(audit.map(({ at }) => Date.parse(at))));
    } finally {
      await sql.end();
    }

    // The same moment, as people in three places would write it.
    const moment = Date.parse(run.createdAt);
    for (const offset of ['Z', '+08:00', '-03:30']) {
      const write = (at: number) => encodeURIComponent(writeWithOffset(at, offset));
      const from = await api.get(`/runs?from=${write(moment)}&to=${write(moment + 1)}`, runPage);
      expect(from.items.map(({ id }) => id)).toEqual([runId]);
      expect((await api.get(`/runs?to=${write(moment)}`, runPage)).items.map(({ id }) => id)).not.toContain(runId);
      expect((await api.get(`/runs?from=${write(moment + 1)}`, runPage)).items.map(({ id }) => id)).not.toContain(runId);
    }
  }
});

verifies('K24', 'a key ends at the instant it was given, however that was written', async () => {
  await Promise.all(
    places.map(async ({ workspace }) => {
      const end = Date.now() + 4_000;
      const { id, key } = await workspace.createKey(['run:read'], writeWithOffset(end, '+05:45'));
      const { items } = await workspace.ownerApi.get('/api-keys', apiKeyPage);
      expect(Date.parse(items.find((item) => item.id === id)?.expiresAt ?? '')).toBe(end);
      const holder = workspace.api.with({ identity: bearer(key) });
      expect((await holder.send('/runs')).status).toBe(200);
      await sleep(end - Date.now() + 100);
      expectRefusal(await holder.send('/runs'), 401, 'unauthenticated');
    }),
  );
});

verifies('K24', 'times are told and converted alike, over changes of the clocks too, whatever zone the server is in', async () => {
  for (const { workspace } of places) {
    const { api } = workspace;
    const ask = async (text: string, more: { timeZone?: string } = {}) =>
      (await api.ask((await api.createSession()).id, text, more)).snapshot;
    const convert = async (text: string, more = {}) => converted.parse((await ask(text, more)).pipeline_trace[0]?.output);

    // The day on which New York's clocks go forward: 01:30 is before, 03:30 after, 02:30 is none.
    expect(await convert('If it is 1:30 on 2026-03-08 in New York, what time is it in London?')).toMatchObject({
      instant: '2026-03-08T06:30:00.000Z',
      to: { time: '06:30' },
    });
    expect((await convert('If it is 3:30 on 2026-03-08 in New York, what time is it in London?')).instant).toBe('2026-03-08T07:30:00.000Z');
    const skipped = await ask('If it is 2:30 on 2026-03-08 in New York, what time is it in London?');
    expect(skipped.echo).toContain('skip 02:30');
    expect(converted.parse(skipped.pipeline_trace[0]?.output).instant).toBe('2026-03-08T07:30:00.000Z');
    // And back: 01:30 happens twice.
    expect((await convert('If it is 1:30 on 2026-11-01 in New York, what time is it in London?')).instant).toBe('2026-11-01T05:30:00.000Z');
    // From the asker's own zone, the day before its clocks go forward and the day on which they do.
    const newfoundland = { timeZone: 'America/St_Johns' };
    expect((await convert('Convert 9:00 on 2026-03-07 to Tokyo time', newfoundland)).instant).toBe('2026-03-07T12:30:00.000Z');
    expect((await convert('Convert 9:00 on 2026-03-08 to Tokyo time', newfoundland)).instant).toBe('2026-03-08T11:30:00.000Z');

    // Nobody's zone is the server's.
    for (const [text, zone, more] of [
      ['What time is it?', 'UTC', {}],
      ['What time is it?', 'America/St_Johns', newfoundland],
      ['What time is it in Tokyo?', 'Asia/Tokyo', {}],
    ] as const) {
      const clock = new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit' });
      const before = clock.format(new Date());
      const { echo } = await ask(text, more);
      expect(
        [before, clock.format(new Date())].some((time) => echo.includes(`**${time}**`)),
        `${echo} at ${before}`,
      ).toBe(true);
    }
  }
});

const sorted = (instants: readonly number[]) => instants.toSorted((a, b) => a - b);

/** An instant as it is written where clocks are ahead of UTC by `offset`. */
function writeWithOffset(at: number, offset: string): string {
  const [, sign, hours, minutes] = /^([+-])(\d\d):(\d\d)$/.exec(offset) ?? [];
  if (!sign) return new Date(at).toISOString();
  const aheadMs = (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
  return new Date(at + aheadMs).toISOString().replace('Z', offset);
}
