import { application } from '#lib/composition/index.ts';
import { defineRoute, methods } from '#lib/http/index.ts';
import { modelUsageView, usageQuery } from '#lib/record/contract.ts';

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: defineRoute({
    permission: 'budget:read',
    query: usageQuery,
    response: modelUsageView,
    handle: ({ actor, query }) => application().viewModelUsage(actor, query),
  }),
});
