import { z } from 'zod';
import { application } from '#lib/composition/index.ts';
import { defineRoute, idParameter, methods } from '#lib/http/index.ts';
import { saveTermBody, termView } from '#lib/knowledge/contract.ts';

const params = z.object({ term: idParameter('term') });

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: defineRoute({
    permission: 'knowledge:read',
    params,
    response: termView,
    handle: ({ actor, params: { term } }) => application().getTerm(actor, term),
  }),
  PUT: defineRoute({
    permission: 'knowledge:write',
    params,
    body: saveTermBody,
    response: termView,
    handle: ({ actor, params: { term }, body }) => application().editTerm(actor, term, body),
  }),
  DELETE: defineRoute({
    permission: 'knowledge:write',
    params,
    handle: ({ actor, params: { term } }) => application().deleteTerm(actor, term),
  }),
});
