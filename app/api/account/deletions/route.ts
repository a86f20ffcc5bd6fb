import { application } from '#lib/composition/index.ts';
import { accountRoute, methods } from '#lib/http/index.ts';
import { purgePage } from '#lib/tenancy/contract.ts';

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: accountRoute({ response: purgePage, handle: ({ account }) => application().listOwnPurges(account) }),
});
