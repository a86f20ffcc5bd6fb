import { application } from '#lib/composition/index.ts';
import { defineRoute, methods } from '#lib/http/index.ts';
import { noticePreference } from '#lib/notifications/contract.ts';

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  PUT: defineRoute({
    permission: 'tenant:read',
    body: noticePreference,
    response: noticePreference,
    handle: ({ actor, body }) => application().setNoticePreference(actor, body),
  }),
});
