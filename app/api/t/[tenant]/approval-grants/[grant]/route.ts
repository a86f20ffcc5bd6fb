import { z } from 'zod';
import { application } from '#lib/composition/index.ts';
import { defineRoute, idParameter, methods } from '#lib/http/index.ts';

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  DELETE: defineRoute({
    permission: 'tenant:read',
    params: z.object({ grant: idParameter('approvalGrant') }),
    handle: ({ actor, params: { grant } }) => application().revokeApprovalGrant(actor, grant),
  }),
});
