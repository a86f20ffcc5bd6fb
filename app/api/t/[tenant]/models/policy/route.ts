import { application } from '#lib/composition/index.ts';
import { defineRoute, methods } from '#lib/http/index.ts';
import { modelPolicy } from '#lib/models/contract.ts';

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  PUT: defineRoute({
    permission: 'model:manage',
    body: modelPolicy,
    response: modelPolicy,
    handle: ({ actor, body }) => application().setModelPolicy(actor, body),
  }),
});
