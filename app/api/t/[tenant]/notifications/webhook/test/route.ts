import { application } from '#lib/composition/index.ts';
import { defineRoute, methods } from '#lib/http/index.ts';
import { deliveryView } from '#lib/notifications/contract.ts';

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  POST: defineRoute({
    permission: 'tenant:update',
    response: deliveryView,
    handle: ({ actor }) => application().testWebhook(actor),
  }),
});
