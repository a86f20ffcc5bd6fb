import { z } from 'zod';
import { application } from '#lib/composition/index.ts';
import { accountRoute, idParameter, methods } from '#lib/http/index.ts';
import { resetLinkView } from '#lib/tenancy/contract.ts';

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  POST: accountRoute({
    params: z.object({ user: idParameter('user') }),
    response: resetLinkView,
    status: 201,
    handle: ({ account, params }) => application().makeOperatorResetLink(account, params.user),
  }),
});
