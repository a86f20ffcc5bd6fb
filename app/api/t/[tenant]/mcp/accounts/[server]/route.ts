import { z } from 'zod';
import { application } from '#lib/composition/index.ts';
import { defineRoute, idParameter, methods } from '#lib/http/index.ts';
import { begunSignInView } from '#lib/mcp/contract.ts';

const params = z.object({ server: idParameter('mcpServer') });

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  POST: defineRoute({
    permission: 'capability:invoke',
    params,
    response: begunSignInView,
    handle: ({ actor, params: { server }, request }) => application().beginMcpSignIn(actor, server, new URL(request.url).pathname),
  }),
  DELETE: defineRoute({
    permission: 'capability:invoke',
    params,
    handle: ({ actor, params: { server } }) => application().disconnectMcpAccount(actor, server),
  }),
});
