import { application } from '#lib/composition/index.ts';
import { defineRoute, methods } from '#lib/http/index.ts';
import { figuresQuery, figuresView } from '#lib/record/contract.ts';

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: defineRoute({
    permission: 'metrics:read',
    query: figuresQuery,
    response: figuresView,
    handle: ({ actor, query }) => application().readFigures(actor, query),
  }),
});
