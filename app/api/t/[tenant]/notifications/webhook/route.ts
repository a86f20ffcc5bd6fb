import { application } from '#lib/composition/index.ts';
import { defineRoute, methods } from '#lib/http/index.ts';
import { webhookBody, webhookResult, webhookSettingView } from '#lib/notifications/contract.ts';

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: defineRoute({
    permission: 'tenant:update',
    response: webhookSettingView,
    handle: ({ actor }) => application().getWebhook(actor),
  }),
  PUT: defineRoute({
    permission: 'tenant:update',
    body: webhookBody,
    response: webhookResult,
    handle: ({ actor, body }) => application().setWebhook(actor, body),
  }),
  DELETE: defineRoute({
    permission: 'tenant:update',
    handle: ({ actor }) => application().deleteWebhook(actor),
  }),
});
