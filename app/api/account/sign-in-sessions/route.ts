import { application } from '#lib/composition/index.ts';
import { accountRoute, methods } from '#lib/http/index.ts';
import { endSignInSessionsQuery, signInSessionPage } from '#lib/tenancy/contract.ts';

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: accountRoute({ response: signInSessionPage, handle: ({ account }) => application().listSignInSessions(account) }),
  DELETE: accountRoute({
    query: endSignInSessionsQuery,
    handle: ({ account, query }) => application().endSignInSessions(account, query),
  }),
});
