import { z } from 'zod';
import { application } from '#lib/composition/index.ts';
import { defineRoute, methods } from '#lib/http/index.ts';
import { pluginRequestView, requestPluginBody } from '#lib/plugins/contract.ts';

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  POST: defineRoute({
    permission: 'plugin:request',
    params: z.object({ plugin: z.string().max(60) }),
    body: requestPluginBody,
    response: pluginRequestView,
    status: 201,
    handle: ({ actor, params: { plugin }, body }) => application().requestPlugin(actor, plugin, body),
  }),
});
