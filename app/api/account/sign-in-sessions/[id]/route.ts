import { z } from 'zod';
import { application } from '#lib/composition/index.ts';
import { accountRoute, idParameter, methods } from '#lib/http/index.ts';

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  DELETE: accountRoute({
    params: z.object({ id: idParameter('signInSession') }),
    handle: ({ account, params }) => application().revokeSignInSession(account, params.id),
  }),
});
