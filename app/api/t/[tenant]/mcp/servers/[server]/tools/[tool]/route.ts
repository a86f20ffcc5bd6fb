import { z } from 'zod';
import { application } from '#lib/composition/index.ts';
import { defineRoute, idParameter, methods } from '#lib/http/index.ts';
import { mcpToolView, updateMcpToolBody } from '#lib/mcp/contract.ts';

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  PATCH: defineRoute({
    permission: 'mcp:manage',
    params: z.object({ server: idParameter('mcpServer'), tool: idParameter('mcpTool') }),
    body: updateMcpToolBody,
    response: mcpToolView,
    handle: ({ actor, params, body }) => application().updateMcpTool(actor, params, body),
  }),
});
