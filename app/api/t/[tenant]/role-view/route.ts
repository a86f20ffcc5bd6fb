import { z } from 'zod';
import { application } from '#lib/composition/index.ts';
import { defineRoute, idParameter, methods } from '#lib/http/index.ts';

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  PUT: defineRoute({
    permission: 'role:manage',
    asOneself: true,
    body: z.object({ roleId: idParameter('role') }),
    handle: ({ actor, body }) => application().viewAsRole(actor, body.roleId),
  }),
  DELETE: defineRoute({
    permission: 'role:manage',
    asOneself: true,
    handle: ({ actor }) => application().endRoleView(actor),
  }),
});
