import { z } from 'zod';
import { application } from '#lib/composition/index.ts';
import { defineRoute, idParameter, methods } from '#lib/http/index.ts';

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  DELETE: defineRoute({
    permission: 'api-key:manage',
    params: z.object({ id: idParameter('apiKey') }),
    handle: ({ actor, params }) => application().revokeApiKey(actor, params.id),
  }),
});
