import { application } from '#lib/composition/index.ts';
import { defineRoute, methods } from '#lib/http/index.ts';
import { accessQuery, accessView } from '#lib/tenancy/contract.ts';

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: defineRoute({
    permission: 'member:read',
    query: accessQuery,
    response: accessView,
    handle: ({ actor, query }) => application().explainAccess(actor, query),
  }),
});
