import { z } from 'zod';
import { application } from '#lib/composition/index.ts';
import { defineRoute, dropEmpty, methods } from '#lib/http/index.ts';
import { runListQuery, runPage } from '#lib/supervisor/contract.ts';

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: defineRoute({
    permission: 'run:read',
    query: z.preprocess(dropEmpty, runListQuery),
    response: runPage,
    handle: ({ actor, query }) => application().listRuns(actor, query),
  }),
});
