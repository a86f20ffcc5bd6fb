import { application } from '#lib/composition/index.ts';
import { defineRoute, methods } from '#lib/http/index.ts';
import { authorizeClientBody, authorizeClientResult } from '#lib/oauth/contract.ts';

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  POST: defineRoute({
    permission: 'capability:invoke',
    body: authorizeClientBody,
    response: authorizeClientResult,
    handle: ({ actor, body }) => application().authorizeProgram(actor, body),
  }),
});
