import { application } from '#lib/composition/index.ts';
import { defineRoute, methods } from '#lib/http/index.ts';
import { notificationsView } from '#lib/notifications/contract.ts';

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: defineRoute({
    permission: 'tenant:read',
    response: notificationsView,
    handle: ({ actor }) => application().getNotifications(actor),
  }),
});
