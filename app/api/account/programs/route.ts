import { application } from '#lib/composition/index.ts';
import { accountRoute, methods } from '#lib/http/index.ts';
import { programList } from '#lib/oauth/contract.ts';

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: accountRoute({ response: programList, handle: ({ account }) => application().listPrograms(account) }),
});
