import { z } from 'zod';
import { application } from '#lib/composition/index.ts';
import { defineRoute, methods, multiplexedFrames, streamWhileAllowed } from '#lib/http/index.ts';
import { parseId } from '#lib/kernel/index.ts';

/** `run_a:12,run_b:0`: which runs, and the last event seen of each. */
const runs = z.string().transform((text, context) =>
  text
    .split(',')
    .filter(Boolean)
    .map((part) => {
      const [id, after = '0'] = part.split(':');
      const runId = parseId('run', id);
      if (runId && /^\d{1,9}$/.test(after)) return { runId, after: Number(after) };
      context.addIssue({ code: 'custom', message: `not a run and its last event: ${part}` });
      return z.NEVER;
    }),
);

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: defineRoute({
    permission: 'run:read',
    query: z.object({ runs: runs.pipe(z.array(z.any()).max(100)) }),
    handle: async () => null,
    respond: (_nothing, call) => {
      const app = application();
      return streamWhileAllowed(call, app, (signal) => multiplexedFrames(app, { actor: call.actor, runs: call.query.runs, signal }));
    },
  }),
});
