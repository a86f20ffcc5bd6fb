import { z } from 'zod';
import { application } from '#lib/composition/index.ts';
import { defineRoute, idParameter, methods } from '#lib/http/index.ts';
import { changeMemberBody, memberView } from '#lib/tenancy/contract.ts';

const params = z.object({ user: idParameter('user') });

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  PATCH: defineRoute({
    permission: 'member:manage',
    params,
    body: changeMemberBody,
    response: memberView,
    handle: ({ actor, params, body }) => application().changeMember(actor, params.user, body),
  }),
  DELETE: defineRoute({
    permission: 'member:manage',
    params,
    handle: ({ actor, params }) => application().removeMember(actor, params.user),
  }),
});
