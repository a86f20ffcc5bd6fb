import { z } from 'zod';
import { application } from '#lib/composition/index.ts';
import { defineRoute, methods } from '#lib/http/index.ts';
import { configurePluginBody, pluginView } from '#lib/plugins/contract.ts';

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  PUT: defineRoute({
    permission: 'plugin:install',
    params: z.object({ plugin: z.string().max(60) }),
    body: configurePluginBody,
    response: pluginView,
    handle: ({ actor, params: { plugin }, body }) => application().configurePlugin(actor, plugin, body),
  }),
});
