import { auditPage, auditQuery } from '#lib/audit/contract.ts';
import { application } from '#lib/composition/index.ts';
import { defineRoute, methods } from '#lib/http/index.ts';

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: defineRoute({
    permission: 'audit:read',
    query: auditQuery,
    response: auditPage,
    handle: ({ actor, query }) => application().listAuditEvents(actor, query),
  }),
});
