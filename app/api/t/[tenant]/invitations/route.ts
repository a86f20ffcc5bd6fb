import { application } from '#lib/composition/index.ts';
import { defineRoute, methods } from '#lib/http/index.ts';
import { createInvitationBody, createInvitationResult, invitationPage, pageQuery } from '#lib/tenancy/contract.ts';

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: defineRoute({
    permission: 'member:manage',
    query: pageQuery,
    response: invitationPage,
    handle: ({ actor, query }) => application().listInvitations(actor, query),
  }),
  POST: defineRoute({
    permission: 'member:manage',
    body: createInvitationBody,
    response: createInvitationResult,
    status: 201,
    handle: ({ actor, body }) => application().createInvitation(actor, body),
  }),
});
