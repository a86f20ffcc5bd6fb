import { z } from 'zod';
import { application } from '#lib/composition/index.ts';
import { defineRoute, idParameter, methods } from '#lib/http/index.ts';
import { resetLinkView } from '#lib/tenancy/contract.ts';

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  POST: defineRoute({
    permission: 'member:manage',
    params: z.object({ user: idParameter('user') }),
    response: resetLinkView,
    status: 201,
    handle: ({ actor, params }) => application().makeMemberResetLink(actor, params.user),
  }),
});
