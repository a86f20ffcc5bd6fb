import { application } from '#lib/composition/index.ts';
import { defineRoute, methods } from '#lib/http/index.ts';
import { approvalGrantPage } from '#lib/supervisor/contract.ts';

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: defineRoute({
    permission: 'tenant:read',
    response: approvalGrantPage,
    handle: ({ actor }) => application().listApprovalGrants(actor),
  }),
});
