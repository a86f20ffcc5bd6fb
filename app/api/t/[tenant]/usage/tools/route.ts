import { application } from '#lib/composition/index.ts';
import { defineRoute, methods } from '#lib/http/index.ts';
import { toolUsageView, usageQuery } from '#lib/record/contract.ts';

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: defineRoute({
    permission: 'budget:read',
    query: usageQuery.pick({ days: true }),
    response: toolUsageView,
    handle: ({ actor, query }) => application().viewToolUsage(actor, query),
  }),
});
