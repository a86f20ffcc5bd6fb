import { application } from '#lib/composition/index.ts';
import { defineRoute, methods } from '#lib/http/index.ts';
import { groupRolesView, setGroupRolesBody } from '#lib/tenancy/contract.ts';

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: defineRoute({ permission: 'member:read', response: groupRolesView, handle: ({ actor }) => application().getGroupRoles(actor) }),
  PUT: defineRoute({
    permission: 'member:manage',
    body: setGroupRolesBody,
    response: groupRolesView,
    handle: ({ actor, body }) => application().setGroupRoles(actor, body),
  }),
});
