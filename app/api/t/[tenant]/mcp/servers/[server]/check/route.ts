import { z } from 'zod';
import { application } from '#lib/composition/index.ts';
import { defineRoute, idParameter, methods } from '#lib/http/index.ts';
import { mcpServerDetail } from '#lib/mcp/contract.ts';

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  POST: defineRoute({
    permission: 'mcp:manage',
    params: z.object({ server: idParameter('mcpServer') }),
    response: mcpServerDetail,
    handle: ({ actor, params: { server } }) => application().reconnectMcpServer(actor, server),
  }),
});
