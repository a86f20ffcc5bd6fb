import { application } from '#lib/composition/index.ts';
import { accountRoute, methods } from '#lib/http/index.ts';
import { healthView } from '#lib/tenancy/contract.ts';

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: accountRoute({ response: healthView, handle: ({ account }) => application().readHealth(account) }),
});
