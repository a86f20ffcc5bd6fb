import { z } from 'zod';
import { application } from '#lib/composition/index.ts';
import { defineRoute, idParameter, methods } from '#lib/http/index.ts';
import { pluginOperationView } from '#lib/plugins/contract.ts';

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: defineRoute({
    permission: 'plugin:read',
    params: z.object({ operation: idParameter('pluginOperation') }),
    response: pluginOperationView,
    handle: ({ actor, params: { operation } }) => application().getPluginOperation(actor, operation),
  }),
});
