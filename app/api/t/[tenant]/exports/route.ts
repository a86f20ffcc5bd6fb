import { application } from '#lib/composition/index.ts';
import { defineRoute, methods } from '#lib/http/index.ts';
import { exportBody, exportList, exportView } from '#lib/record/contract.ts';

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: defineRoute({
    permission: 'audit:export',
    response: exportList,
    handle: ({ actor }) => application().listExports(actor),
  }),
  POST: defineRoute({
    permission: 'audit:export',
    body: exportBody,
    response: exportView,
    status: 202,
    handle: ({ actor, body }) => application().createExport(actor, body),
  }),
});
