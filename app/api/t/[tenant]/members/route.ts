import { application } from '#lib/composition/index.ts';
import { defineRoute, methods } from '#lib/http/index.ts';
import { addMemberBody, memberPage, memberQuery, memberView } from '#lib/tenancy/contract.ts';

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: defineRoute({
    permission: 'member:read',
    query: memberQuery,
    response: memberPage,
    handle: ({ actor, query }) => application().listMembers(actor, query),
  }),
  POST: defineRoute({
    permission: 'member:manage',
    body: addMemberBody,
    response: memberView,
    status: 201,
    handle: ({ actor, body }) => application().addMember(actor, body),
  }),
});
