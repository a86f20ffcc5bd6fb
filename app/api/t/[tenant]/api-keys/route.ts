import { application } from '#lib/composition/index.ts';
import { defineRoute, methods } from '#lib/http/index.ts';
import { apiKeyPage, createApiKeyBody, createApiKeyResult, pageQuery } from '#lib/tenancy/contract.ts';

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: defineRoute({
    permission: 'api-key:manage',
    query: pageQuery,
    response: apiKeyPage,
    handle: ({ actor, query }) => application().listApiKeys(actor, query),
  }),
  POST: defineRoute({
    permission: 'api-key:manage',
    body: createApiKeyBody,
    response: createApiKeyResult,
    status: 201,
    handle: ({ actor, body }) => application().createApiKey(actor, body),
  }),
});
