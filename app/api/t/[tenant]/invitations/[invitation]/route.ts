import { z } from 'zod';
import { application } from '#lib/composition/index.ts';
import { defineRoute, idParameter, methods } from '#lib/http/index.ts';

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  DELETE: defineRoute({
    permission: 'member:manage',
    params: z.object({ invitation: idParameter('invitation') }),
    handle: ({ actor, params }) => application().revokeInvitation(actor, params.invitation),
  }),
});
