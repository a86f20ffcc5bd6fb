import { application } from '#lib/composition/index.ts';
import { accountRoute, methods } from '#lib/http/index.ts';
import { accountQuery, accountStandPage } from '#lib/tenancy/contract.ts';

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: accountRoute({
    query: accountQuery,
    response: accountStandPage,
    handle: ({ account, query }) => application().listAccounts(account, query),
  }),
});
