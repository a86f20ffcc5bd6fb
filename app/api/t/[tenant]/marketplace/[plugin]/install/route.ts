import { z } from 'zod';
import { application } from '#lib/composition/index.ts';
import { defineRoute, methods } from '#lib/http/index.ts';
import { installPluginBody, pluginOperationView } from '#lib/plugins/contract.ts';

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  POST: defineRoute({
    permission: 'plugin:install',
    params: z.object({ plugin: z.string().max(60) }),
    body: installPluginBody,
    response: pluginOperationView,
    status: 202,
    handle: ({ actor, params: { plugin }, body }) => application().installPlugin(actor, plugin, body),
  }),
});
