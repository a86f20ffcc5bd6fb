import { z } from 'zod';
import { application } from '#lib/composition/index.ts';
import { defineRoute, idParameter, methods } from '#lib/http/index.ts';
import { modelProviderView, updateProviderBody } from '#lib/models/contract.ts';

const params = z.object({ provider: idParameter('modelProvider') });

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  PATCH: defineRoute({
    permission: 'model:manage',
    params,
    body: updateProviderBody,
    response: modelProviderView,
    handle: ({ actor, params: { provider }, body }) => application().updateProvider(actor, provider, body),
  }),
  DELETE: defineRoute({
    permission: 'model:manage',
    params,
    handle: ({ actor, params: { provider } }) => application().deleteProvider(actor, provider),
  }),
});
