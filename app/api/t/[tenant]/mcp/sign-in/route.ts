import { application } from '#lib/composition/index.ts';
import { defineRoute, methods } from '#lib/http/index.ts';
import { finishSignInQuery } from '#lib/mcp/contract.ts';

/** Where an authorization server sends a person back to. */
export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: defineRoute({
    permission: 'capability:invoke',
    query: finishSignInQuery,
    handle: ({ actor, query }) => application().finishMcpSignIn(actor, query),
    respond: (end, { request }) => {
      const slug = new URL(request.url).pathname.split('/')[3];
      const said = new URLSearchParams(end.end === 'connected' ? { connected: end.server } : { failed: end.end });
      return new Response(null, { status: 303, headers: { location: `/${slug}/settings/accounts?${said}`, 'cache-control': 'no-store' } });
    },
  }),
});
