import { z } from 'zod';
import { application } from '#lib/composition/index.ts';
import { defineRoute, idParameter, methods } from '#lib/http/index.ts';
import { revealBody, revealView } from '#lib/record/contract.ts';

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  POST: defineRoute({
    permission: 'run:reveal',
    params: z.object({ run: idParameter('run') }),
    body: revealBody,
    response: revealView,
    status: 201,
    handle: ({ actor, params: { run }, body }) => application().revealRun(actor, { runId: run, ...body }),
  }),
});
