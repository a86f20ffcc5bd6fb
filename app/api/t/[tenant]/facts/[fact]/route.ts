import { z } from 'zod';
import { application } from '#lib/composition/index.ts';
import { defineRoute, idParameter, methods } from '#lib/http/index.ts';
import { factBody, factView } from '#lib/knowledge/contract.ts';

const params = z.object({ fact: idParameter('fact') });

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  PUT: defineRoute({
    permission: 'memory:write',
    params,
    body: factBody,
    response: factView,
    handle: ({ actor, params: { fact }, body: { text } }) => application().editFact(actor, fact, text),
  }),
  DELETE: defineRoute({
    permission: 'memory:write',
    params,
    handle: ({ actor, params: { fact } }) => application().forgetFact(actor, fact),
  }),
});
