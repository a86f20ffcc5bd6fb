import { application } from '#lib/composition/index.ts';
import { defineRoute, methods } from '#lib/http/index.ts';
import { documentSummaryView, importAddressBody } from '#lib/knowledge/contract.ts';

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  POST: defineRoute({
    permission: 'knowledge:write',
    body: importAddressBody,
    response: documentSummaryView,
    status: 201,
    handle: ({ actor, body }) => application().importAddress(actor, body.url),
  }),
});
