import { z } from 'zod';
import { application } from '#lib/composition/index.ts';
import { defineRoute, idParameter, methods } from '#lib/http/index.ts';
import { invocationView } from '#lib/supervisor/contract.ts';

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: defineRoute({
    permission: 'run:read',
    params: z.object({ run: idParameter('run'), invocation: idParameter('invocation') }),
    response: invocationView,
    handle: ({ actor, params: { run, invocation } }) => application().getInvocation(actor, { runId: run, invocationId: invocation }),
  }),
});
