import { z } from 'zod';
import { application } from '#lib/composition/index.ts';
import { defineRoute, idParameter, methods } from '#lib/http/index.ts';
import { providerTestView } from '#lib/models/contract.ts';

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  POST: defineRoute({
    permission: 'model:manage',
    params: z.object({ provider: idParameter('modelProvider') }),
    response: providerTestView,
    handle: ({ actor, params: { provider } }) => application().testProvider(actor, provider),
  }),
});
