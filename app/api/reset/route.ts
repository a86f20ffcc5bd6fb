import { senderOf } from '#lib/auth/index.ts';
import { application } from '#lib/composition/index.ts';
import { methods, publicRoute } from '#lib/http/index.ts';
import { resetPasswordBody } from '#lib/tenancy/contract.ts';

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  POST: publicRoute({
    body: resetPasswordBody,
    handle: ({ body, request }) => application().resetPassword(body, senderOf(request.headers)),
  }),
});
