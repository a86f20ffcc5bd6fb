import { application } from '#lib/composition/index.ts';
import { defineRoute, methods } from '#lib/http/index.ts';
import { chooseEmbeddingBody, documentSearchView } from '#lib/knowledge/contract.ts';

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: defineRoute({
    permission: 'knowledge:read',
    response: documentSearchView,
    handle: ({ actor }) => application().getDocumentSearch(actor),
  }),
  PUT: defineRoute({
    permission: 'model:manage',
    body: chooseEmbeddingBody,
    response: documentSearchView,
    handle: ({ actor, body }) => application().chooseEmbeddingModel(actor, body),
  }),
  DELETE: defineRoute({ permission: 'model:manage', handle: ({ actor }) => application().removeEmbeddingModel(actor) }),
});
