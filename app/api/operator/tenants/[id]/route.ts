import { z } from 'zod';
import { application } from '#lib/composition/index.ts';
import { accountRoute, idParameter, methods } from '#lib/http/index.ts';
import { deleteTenantQuery, operateTenantBody } from '#lib/tenancy/contract.ts';

const params = z.object({ id: idParameter('tenant') });

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  PATCH: accountRoute({
    params,
    body: operateTenantBody,
    handle: ({ account, params, body }) => application().suspendTenant(account, { tenantId: params.id, suspended: body.suspended }),
  }),
  DELETE: accountRoute({
    params,
    query: deleteTenantQuery,
    handle: ({ account, params, query }) => application().deleteTenantAsOperator(account, { tenantId: params.id, confirm: query.confirm }),
  }),
});
