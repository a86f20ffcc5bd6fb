import { application } from '#lib/composition/index.ts';
import { defineRoute, methods } from '#lib/http/index.ts';
import { mcpAccountsView } from '#lib/mcp/contract.ts';

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: defineRoute({
    permission: 'capability:invoke',
    response: mcpAccountsView,
    handle: ({ actor }) => application().listMcpAccounts(actor),
  }),
});
