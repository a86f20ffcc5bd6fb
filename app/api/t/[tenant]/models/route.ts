import { application } from '#lib/composition/index.ts';
import { defineRoute, methods } from '#lib/http/index.ts';
import { modelsView } from '#lib/models/contract.ts';

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: defineRoute({ permission: 'model:read', response: modelsView, handle: ({ actor }) => application().getModels(actor) }),
});
