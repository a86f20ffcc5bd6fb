import { z } from 'zod';
import { application } from '#lib/composition/index.ts';
import { defineRoute, idParameter, methods } from '#lib/http/index.ts';
import { accessRequestView, decideAccessBody } from '#lib/tenancy/contract.ts';

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  // Everyone may take back their own; to grant or refuse takes `member:manage` besides.
  PATCH: defineRoute({
    permission: 'tenant:read',
    params: z.object({ request: idParameter('accessRequest') }),
    body: decideAccessBody,
    response: accessRequestView,
    handle: ({ actor, params, body }) => application().decideAccessRequest(actor, params.request, body),
  }),
});
