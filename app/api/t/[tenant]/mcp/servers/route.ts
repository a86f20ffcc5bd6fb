import { application } from '#lib/composition/index.ts';
import { defineRoute, methods } from '#lib/http/index.ts';
import { createMcpServerBody, mcpServerDetail, mcpServersView } from '#lib/mcp/contract.ts';

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: defineRoute({ permission: 'mcp:read', response: mcpServersView, handle: ({ actor }) => application().listMcpServers(actor) }),
  POST: defineRoute({
    permission: 'mcp:manage',
    body: createMcpServerBody,
    response: mcpServerDetail,
    status: 201,
    handle: ({ actor, body }) => application().createMcpServer(actor, body),
  }),
});
