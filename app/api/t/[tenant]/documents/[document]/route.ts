import { z } from 'zod';
import { application } from '#lib/composition/index.ts';
import { defineRoute, idParameter, methods } from '#lib/http/index.ts';
import { documentSummaryView, documentView, saveDocumentBody } from '#lib/knowledge/contract.ts';

const params = z.object({ document: idParameter('document') });

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: defineRoute({
    permission: 'knowledge:read',
    params,
    response: documentView,
    handle: ({ actor, params: { document } }) => application().getDocument(actor, document),
  }),
  PUT: defineRoute({
    permission: 'knowledge:write',
    params,
    body: saveDocumentBody,
    response: documentSummaryView,
    handle: ({ actor, params: { document }, body }) => application().saveDocument(actor, { ...body, id: document }),
  }),
  DELETE: defineRoute({
    permission: 'knowledge:write',
    params,
    handle: ({ actor, params: { document } }) => application().deleteDocument(actor, document),
  }),
});
