import { z } from 'zod';
import { application } from '#lib/composition/index.ts';
import { defineRoute, idParameter, methods } from '#lib/http/index.ts';
import { mcpServerDetail, updateMcpServerBody } from '#lib/mcp/contract.ts';

const params = z.object({ server: idParameter('mcpServer') });

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: defineRoute({
    permission: 'mcp:read',
    params,
    response: mcpServerDetail,
    handle: ({ actor, params: { server } }) => application().getMcpServer(actor, server),
  }),
  PATCH: defineRoute({
    permission: 'mcp:manage',
    params,
    body: updateMcpServerBody,
    response: mcpServerDetail,
    handle: ({ actor, params: { server }, body }) => application().updateMcpServer(actor, server, body),
  }),
  DELETE: defineRoute({
    permission: 'mcp:manage',
    params,
    handle: ({ actor, params: { server } }) => application().deleteMcpServer(actor, server),
  }),
});
