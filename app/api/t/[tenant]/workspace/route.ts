import { application } from '#lib/composition/index.ts';
import { defineRoute, methods } from '#lib/http/index.ts';
import { deleteTenantQuery, tenantView, updateTenantBody } from '#lib/tenancy/contract.ts';

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  PATCH: defineRoute({
    permission: 'tenant:update',
    body: updateTenantBody,
    response: tenantView,
    handle: ({ actor, body }) => application().updateTenant(actor, body),
  }),
  DELETE: defineRoute({
    permission: 'tenant:delete',
    query: deleteTenantQuery,
    handle: ({ actor, query }) => application().deleteTenant(actor, query),
  }),
});
