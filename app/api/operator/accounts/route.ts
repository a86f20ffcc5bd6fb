import { application } from '#lib/composition/index.ts';
import { accountRoute, methods } from '#lib/http/index.ts';
import { accountStandPage, findAccountsQuery } from '#lib/tenancy/contract.ts';

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: accountRoute({
    query: findAccountsQuery,
    response: accountStandPage,
    handle: ({ account, query }) => application().findAccounts(account, query),
  }),
});
