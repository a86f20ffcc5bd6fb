import { application } from '#lib/composition/index.ts';
import { defineRoute, methods } from '#lib/http/index.ts';
import { accessRequestPage, accessRequestQuery, accessRequestView, requestAccessBody } from '#lib/tenancy/contract.ts';

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: defineRoute({
    permission: 'tenant:read',
    query: accessRequestQuery,
    response: accessRequestPage,
    handle: ({ actor, query }) => application().listAccessRequests(actor, query),
  }),
  POST: defineRoute({
    permission: 'tenant:read',
    body: requestAccessBody,
    response: accessRequestView,
    status: 201,
    handle: ({ actor, body }) => application().requestAccess(actor, body),
  }),
});
