import { z } from 'zod';
import { application } from '#lib/composition/index.ts';
import { defineRoute, idParameter, methods } from '#lib/http/index.ts';
import { deliveryView } from '#lib/notifications/contract.ts';

const params = z.object({ delivery: idParameter('delivery') });

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  POST: defineRoute({
    permission: 'tenant:update',
    params,
    response: deliveryView,
    handle: ({ actor, params: { delivery } }) => application().redeliver(actor, delivery),
  }),
});
