import { z } from 'zod';
import { application } from '#lib/composition/index.ts';
import { defineRoute, methods } from '#lib/http/index.ts';
import { runListQuery, runPage } from '#lib/supervisor/contract.ts';

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: defineRoute({
    permission: 'run:read',
    query: z.preprocess(dropEmpty, runListQuery),
    response: runPage,
    handle: ({ actor, query }) => application().listRuns(actor, query),
  }),
});

/** A filter that a form left empty is no filter. */
function dropEmpty(query: unknown): unknown {
  return typeof query === 'object' && query !== null
    ? Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ''))
    : query;
}
