import { z } from 'zod';
import { application } from '#lib/composition/index.ts';
import { defineRoute, idParameter, methods } from '#lib/http/index.ts';

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  POST: defineRoute({
    permission: 'conversation:write',
    params: z.object({ run: idParameter('run') }),
    status: 202,
    handle: ({ actor, params: { run } }) => application().cancelRun(actor, run),
  }),
});
