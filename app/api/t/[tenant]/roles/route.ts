import { application } from '#lib/composition/index.ts';
import { defineRoute, methods } from '#lib/http/index.ts';
import { createRoleBody, rolePage, roleView } from '#lib/tenancy/contract.ts';

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: defineRoute({ permission: 'role:read', response: rolePage, handle: ({ actor }) => application().listRoles(actor) }),
  POST: defineRoute({
    permission: 'role:manage',
    body: createRoleBody,
    response: roleView,
    status: 201,
    handle: ({ actor, body }) => application().createRole(actor, body),
  }),
});
