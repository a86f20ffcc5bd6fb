import { application } from '#lib/composition/index.ts';
import { defineRoute, methods } from '#lib/http/index.ts';
import { listPluginsQuery, pluginPage } from '#lib/plugins/contract.ts';

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: defineRoute({
    permission: 'plugin:read',
    query: listPluginsQuery,
    response: pluginPage,
    handle: ({ actor, query }) => application().listPlugins(actor, query),
  }),
});
