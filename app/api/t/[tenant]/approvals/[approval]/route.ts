import { z } from 'zod';
import { application } from '#lib/composition/index.ts';
import { defineRoute, idParameter, methods } from '#lib/http/index.ts';
import { approvalView, decideApprovalBody } from '#lib/supervisor/contract.ts';

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  POST: defineRoute({
    permission: 'tenant:read',
    params: z.object({ approval: idParameter('approval') }),
    body: decideApprovalBody,
    response: approvalView,
    handle: ({ actor, params: { approval }, body }) => application().decideApproval(actor, approval, body),
  }),
});
