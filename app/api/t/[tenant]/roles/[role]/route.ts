import { z } from 'zod';
import { application } from '#lib/composition/index.ts';
import { defineRoute, idParameter, methods } from '#lib/http/index.ts';
import { roleView, updateRoleBody } from '#lib/tenancy/contract.ts';

const params = z.object({ role: idParameter('role') });

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  PATCH: defineRoute({
    permission: 'role:manage',
    params,
    body: updateRoleBody,
    response: roleView,
    handle: ({ actor, params, body }) => application().updateRole(actor, params.role, body),
  }),
  DELETE: defineRoute({
    permission: 'role:manage',
    params,
    handle: ({ actor, params }) => application().deleteRole(actor, params.role),
  }),
});
