import { application } from '#lib/composition/index.ts';
import { accountRoute, methods } from '#lib/http/index.ts';
import { accountView, updateAccountBody } from '#lib/tenancy/contract.ts';

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: accountRoute({ response: accountView, handle: async ({ account }) => application().viewAccount(account) }),
  PATCH: accountRoute({
    body: updateAccountBody,
    response: accountView,
    handle: ({ account, body }) => application().updateAccount(account, body),
  }),
});
