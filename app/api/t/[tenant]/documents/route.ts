import { z } from 'zod';
import { application } from '#lib/composition/index.ts';
import { defineRoute, methods } from '#lib/http/index.ts';
import { createDocumentBody, documentPage, documentSummaryView } from '#lib/knowledge/contract.ts';

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: defineRoute({
    permission: 'knowledge:read',
    query: z.object({ cursor: z.string().optional() }),
    response: documentPage,
    handle: ({ actor, query }) => application().listDocuments(actor, query),
  }),
  POST: defineRoute({
    permission: 'knowledge:write',
    body: createDocumentBody,
    response: documentSummaryView,
    status: 201,
    handle: ({ actor, body }) => application().saveDocument(actor, { ...body, id: null, expectedVersion: null }),
  }),
});
