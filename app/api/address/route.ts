import { z } from 'zod';
import { application } from '#lib/composition/index.ts';
import { methods, publicRoute } from '#lib/http/index.ts';

/** Where proxy.ts sends a page that was asked for under another host: to the same page under the one address. */
export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: publicRoute({
    query: z.object({ page: z.base64url().max(20_000) }),
    handle: async ({ query }) => Buffer.from(query.page, 'base64url').toString(),
    respond: (page) => {
      const target = new URL(application().config.publicUrl);
      const [path = '', ...search] = page.split('?');
      // Set part by part: a path that begins with // would name a host if it were resolved.
      target.pathname = path;
      target.search = search.join('?');
      return new Response(null, { status: 307, headers: { location: target.href, 'cache-control': 'no-store' } });
    },
  }),
});
