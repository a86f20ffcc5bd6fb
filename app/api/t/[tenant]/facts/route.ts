import { z } from 'zod';
import { application } from '#lib/composition/index.ts';
import { defineRoute, methods } from '#lib/http/index.ts';
import { factBody, factView } from '#lib/knowledge/contract.ts';

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: defineRoute({
    permission: 'memory:read',
    response: z.object({ items: z.array(factView) }),
    handle: ({ actor }) => application().listFacts(actor),
  }),
  POST: defineRoute({
    permission: 'memory:write',
    body: factBody,
    response: factView,
    status: 201,
    handle: ({ actor, body: { text } }) => application().addFact(actor, text),
  }),
});
