import { z } from 'zod';
import { application } from '#lib/composition/index.ts';
import { defineRoute, idParameter, methods } from '#lib/http/index.ts';
import { pluginView } from '#lib/plugins/contract.ts';

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  POST: defineRoute({
    permission: 'plugin:install',
    params: z.object({ plugin: z.string().max(60) }),
    body: z.object({ snapshotId: idParameter('pluginSnapshot') }),
    response: pluginView,
    handle: ({ actor, params: { plugin }, body }) => application().rollBackPluginSettings(actor, plugin, body),
  }),
});
