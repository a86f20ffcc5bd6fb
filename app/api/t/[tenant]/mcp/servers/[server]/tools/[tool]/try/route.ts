import { z } from 'zod';
import { application } from '#lib/composition/index.ts';
import { defineRoute, idParameter, methods } from '#lib/http/index.ts';
import { triedToolView, tryMcpToolBody } from '#lib/mcp/contract.ts';

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  POST: defineRoute({
    permission: 'mcp:manage',
    params: z.object({ server: idParameter('mcpServer'), tool: idParameter('mcpTool') }),
    body: tryMcpToolBody,
    response: triedToolView,
    handle: ({ actor, params, body }) => application().tryMcpTool(actor, params, body),
  }),
});
