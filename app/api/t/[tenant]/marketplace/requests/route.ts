import { z } from 'zod';
import { application } from '#lib/composition/index.ts';
import { defineRoute, methods } from '#lib/http/index.ts';
import { pluginRequestState, pluginRequestView } from '#lib/plugins/contract.ts';

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: defineRoute({
    permission: 'plugin:read',
    query: z.object({ state: pluginRequestState.optional() }),
    response: z.object({ items: z.array(pluginRequestView) }),
    handle: ({ actor, query }) => application().listPluginRequests(actor, query),
  }),
});
