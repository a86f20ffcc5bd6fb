import { application } from '#lib/composition/index.ts';
import { defineRoute, methods } from '#lib/http/index.ts';
import { createProviderBody, modelProviderView } from '#lib/models/contract.ts';

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  POST: defineRoute({
    permission: 'model:manage',
    body: createProviderBody,
    response: modelProviderView,
    status: 201,
    handle: ({ actor, body }) => application().createProvider(actor, body),
  }),
});
