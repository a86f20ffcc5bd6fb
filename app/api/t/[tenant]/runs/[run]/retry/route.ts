import { z } from 'zod';
import { application } from '#lib/composition/index.ts';
import { sendMessageResult } from '#lib/conversations/contract.ts';
import { defineRoute, idParameter, methods } from '#lib/http/index.ts';

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  POST: defineRoute({
    permission: 'conversation:write',
    params: z.object({ run: idParameter('run') }),
    response: sendMessageResult,
    status: 202,
    handle: ({ actor, params: { run } }) => application().retryRun(actor, run),
  }),
});
