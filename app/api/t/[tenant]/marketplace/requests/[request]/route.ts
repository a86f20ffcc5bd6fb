import { z } from 'zod';
import { application } from '#lib/composition/index.ts';
import { defineRoute, idParameter, methods } from '#lib/http/index.ts';
import { decideRequestBody, pluginRequestView } from '#lib/plugins/contract.ts';

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  // Everyone may take back their own; to refuse another's takes `plugin:install` besides.
  PATCH: defineRoute({
    permission: 'plugin:read',
    params: z.object({ request: idParameter('pluginRequest') }),
    body: decideRequestBody,
    response: pluginRequestView,
    handle: ({ actor, params: { request }, body }) => application().decidePluginRequest(actor, request, body),
  }),
});
