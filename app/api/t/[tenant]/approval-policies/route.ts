import { approvalPolicyPage } from '#lib/capabilities/contract.ts';
import { application } from '#lib/composition/index.ts';
import { defineRoute, methods } from '#lib/http/index.ts';

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: defineRoute({
    permission: 'capability:read',
    response: approvalPolicyPage,
    handle: ({ actor }) => application().listApprovalPolicies(actor),
  }),
});
