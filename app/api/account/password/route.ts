import { senderOf } from '#lib/auth/index.ts';
import { application } from '#lib/composition/index.ts';
import { accountRoute, methods } from '#lib/http/index.ts';
import { changePasswordBody } from '#lib/tenancy/contract.ts';

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  POST: accountRoute({
    body: changePasswordBody,
    handle: ({ account, body, request }) => application().changePassword(account, body, senderOf(request.headers)),
  }),
});
