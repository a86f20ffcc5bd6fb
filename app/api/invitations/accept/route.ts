import { findPeer } from '#lib/auth/index.ts';
import { application } from '#lib/composition/index.ts';
import { methods, publicRoute } from '#lib/http/index.ts';
import { acceptInvitationBody, acceptInvitationResult } from '#lib/tenancy/contract.ts';

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  POST: publicRoute({
    body: acceptInvitationBody,
    response: acceptInvitationResult,
    status: 201,
    handle: async ({ body, request, findAccount }) =>
      application().acceptInvitation(body, {
        account: await findAccount(),
        ip: findPeer(request.headers)?.clientAddress ?? 'unknown',
      }),
  }),
});
