import { application } from '#lib/composition/index.ts';
import { defineRoute, methods } from '#lib/http/index.ts';
import { deliveryPage, deliveryQuery } from '#lib/notifications/contract.ts';

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: defineRoute({
    permission: 'tenant:update',
    query: deliveryQuery,
    response: deliveryPage,
    handle: ({ actor, query }) => application().listDeliveries(actor, query),
  }),
});
