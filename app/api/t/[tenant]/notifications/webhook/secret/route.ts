import { application } from '#lib/composition/index.ts';
import { defineRoute, methods } from '#lib/http/index.ts';
import { webhookResult } from '#lib/notifications/contract.ts';

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  POST: defineRoute({
    permission: 'tenant:update',
    response: webhookResult,
    handle: ({ actor }) => application().rotateWebhookSecret(actor),
  }),
});
