import { z } from 'zod';
import { application } from '#lib/composition/index.ts';
import { defineRoute, methods } from '#lib/http/index.ts';
import { pluginView, switchPluginBody } from '#lib/plugins/contract.ts';

const params = z.object({ plugin: z.string().max(60) });

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: defineRoute({
    permission: 'plugin:read',
    params,
    response: pluginView,
    handle: ({ actor, params: { plugin } }) => application().getPlugin(actor, plugin),
  }),
  PATCH: defineRoute({
    permission: 'plugin:install',
    params,
    body: switchPluginBody,
    response: pluginView,
    handle: ({ actor, params: { plugin }, body }) => application().switchPlugin(actor, plugin, body),
  }),
  DELETE: defineRoute({
    permission: 'plugin:install',
    params,
    query: z.object({ confirm: z.string().max(60).optional() }),
    handle: ({ actor, params: { plugin }, query: { confirm = null } }) => application().uninstallPlugin(actor, plugin, { confirm }),
  }),
});
