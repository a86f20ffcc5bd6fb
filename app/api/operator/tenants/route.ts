import { application } from '#lib/composition/index.ts';
import { accountRoute, methods } from '#lib/http/index.ts';
import { createTenantBody, createTenantResult, operatedTenantPage } from '#lib/tenancy/contract.ts';

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: accountRoute({ response: operatedTenantPage, handle: ({ account }) => application().listOperatedTenants(account) }),
  POST: accountRoute({
    body: createTenantBody,
    response: createTenantResult,
    status: 201,
    handle: ({ account, body }) => application().createTenant(account, body),
  }),
});
