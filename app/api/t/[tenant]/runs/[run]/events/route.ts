import { z } from 'zod';
import { application } from '#lib/composition/index.ts';
import { defineRoute, idParameter, methods, resumeAfter, runFrames, streamWhileAllowed, wantsEventStream } from '#lib/http/index.ts';
import { runEventView } from '#lib/supervisor/contract.ts';

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: defineRoute({
    permission: 'run:read',
    params: z.object({ run: idParameter('run') }),
    query: z.object({ after: z.coerce.number().int().min(0).optional(), limit: z.coerce.number().int().min(1).max(1000).default(500) }),
    response: z.object({ items: z.array(runEventView), lastSeq: z.number() }),
    handle: async () => application(),
    respond: async (app, call) => {
      const runId = call.params.run;
      const after = resumeAfter(call.request);
      if (wantsEventStream(call.request))
        return streamWhileAllowed(call, app, (signal) => runFrames(app, { actor: call.actor, runId, after, signal }));
      return Response.json(await app.readRunEvents(call.actor, { runId, after, limit: call.query.limit }));
    },
  }),
});
