import { z } from 'zod';
import { application } from '#lib/composition/index.ts';
import { defineRoute, idParameter, methods } from '#lib/http/index.ts';
import { queuePlaceView } from '#lib/supervisor/contract.ts';

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: defineRoute({
    permission: 'run:read',
    params: z.object({ run: idParameter('run') }),
    response: queuePlaceView,
    handle: ({ actor, params: { run } }) => application().readQueuePlace(actor, run),
  }),
});
