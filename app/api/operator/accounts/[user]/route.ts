import { z } from 'zod';
import { application } from '#lib/composition/index.ts';
import { accountRoute, idParameter, methods } from '#lib/http/index.ts';
import { accountStandView, changeAccountBody } from '#lib/tenancy/contract.ts';

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  PATCH: accountRoute({
    params: z.object({ user: idParameter('user') }),
    body: changeAccountBody,
    response: accountStandView,
    handle: ({ account, params, body }) => application().setAccountDisabled(account, params.user, body),
  }),
});
