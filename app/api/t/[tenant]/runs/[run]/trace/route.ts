import { z } from 'zod';
import { application } from '#lib/composition/index.ts';
import { defineRoute, idParameter, methods } from '#lib/http/index.ts';
import { runTrace } from '#lib/record/contract.ts';

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: defineRoute({
    permission: 'run:read',
    params: z.object({ run: idParameter('run') }),
    response: runTrace,
    handle: ({ actor, params: { run } }) => application().getTrace(actor, run),
  }),
});
