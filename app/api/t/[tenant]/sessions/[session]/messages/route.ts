import { z } from 'zod';
import { application } from '#lib/composition/index.ts';
import { sendMessageBody, sendMessageResult } from '#lib/conversations/contract.ts';
import { defineRoute, idParameter, methods, runFrames, streamWhileAllowed, wantsEventStream } from '#lib/http/index.ts';

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  POST: defineRoute({
    permission: 'conversation:write',
    params: z.object({ session: idParameter('session') }),
    query: z.object({ wait: z.enum(['true', 'false']).optional() }),
    body: sendMessageBody.extend({ parentId: idParameter('message').nullable().optional() }),
    response: sendMessageResult,
    status: 202,
    handle: ({ actor, params: { session }, body, request }) =>
      application().submitMessage(actor, {
        sessionId: session,
        ...body,
        idempotencyKey: request.headers.get('idempotency-key') ?? undefined,
      }),
    respond: async (sent, call) => {
      const app = application();
      if (wantsEventStream(call.request)) {
        return streamWhileAllowed(call, app, (signal) =>
          runFrames(app, { actor: call.actor, runId: sent.runId, after: 0, signal, isJustSubmitted: true }),
        );
      }
      if (call.query.wait === 'true') return Response.json(await app.awaitResult(call.actor, sent.runId, call.request.signal));
      return Response.json(sent, { status: 202 });
    },
  }),
});
