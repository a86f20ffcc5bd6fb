import { z } from 'zod';
import { approvalPolicyView, setApprovalPolicyBody } from '#lib/capabilities/contract.ts';
import { application } from '#lib/composition/index.ts';
import { defineRoute, methods } from '#lib/http/index.ts';

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  PUT: defineRoute({
    permission: 'approval:manage',
    params: z.object({ capability: z.string().min(1).max(200) }),
    body: setApprovalPolicyBody,
    response: approvalPolicyView,
    handle: ({ actor, params: { capability }, body }) => application().setApprovalPolicy(actor, capability, body),
  }),
});
