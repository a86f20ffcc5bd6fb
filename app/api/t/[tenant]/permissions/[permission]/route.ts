import { z } from 'zod';
import { application } from '#lib/composition/index.ts';
import { defineRoute, methods } from '#lib/http/index.ts';
import { permissionName, permissionView } from '#lib/tenancy/contract.ts';

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: defineRoute({
    permission: 'tenant:read',
    params: z.object({ permission: permissionName }),
    response: permissionView,
    handle: ({ actor, params }) => application().getPermission(actor, params.permission),
  }),
});
