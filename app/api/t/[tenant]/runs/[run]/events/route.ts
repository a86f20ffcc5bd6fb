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
    handle: ({ actor, params: { run } }) => application().getRun(actor, run),
    respond: async (_run, call) => {
      const app = application();
      const runId = call.params.run;
      const after = resumeAfter(call.request);
      if (wantsEventStream(call.request))
        return streamWhileAllowed(call, app, (signal) => runFrames(app, { actor: call.actor, runId, after, signal }));
      const { items, lastSeq } = await app.readRunEvents(call.actor.scope, runId, after, call.query.limit);
      return Response.json({ items, lastSeq });
    },
  }),
});
