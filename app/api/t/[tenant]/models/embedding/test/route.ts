import { application } from '#lib/composition/index.ts';
import { defineRoute, methods } from '#lib/http/index.ts';
import { chooseEmbeddingBody, embeddingTestView } from '#lib/knowledge/contract.ts';

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  POST: defineRoute({
    permission: 'model:manage',
    body: chooseEmbeddingBody,
    response: embeddingTestView,
    handle: ({ actor, body }) => application().testEmbeddingModel(actor, body),
  }),
});
