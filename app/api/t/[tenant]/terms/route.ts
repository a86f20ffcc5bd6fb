import { application } from '#lib/composition/index.ts';
import { defineRoute, methods } from '#lib/http/index.ts';
import { createTermBody, termList, termView } from '#lib/knowledge/contract.ts';

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: defineRoute({
    permission: 'knowledge:read',
    response: termList,
    handle: ({ actor }) => application().listTerms(actor),
  }),
  POST: defineRoute({
    permission: 'knowledge:write',
    body: createTermBody,
    response: termView,
    status: 201,
    handle: ({ actor, body }) => application().addTerm(actor, body),
  }),
});
