import { z } from 'zod';
import { application } from '#lib/composition/index.ts';
import { sessionView, transcriptView, updateSessionBody } from '#lib/conversations/contract.ts';
import { defineRoute, idParameter, methods } from '#lib/http/index.ts';

const params = z.object({ session: idParameter('session') });

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: defineRoute({
    permission: 'conversation:read',
    params,
    response: transcriptView,
    handle: ({ actor, params: { session } }) => application().getTranscript(actor, session),
  }),
  PATCH: defineRoute({
    permission: 'conversation:write',
    params,
    body: updateSessionBody,
    response: sessionView,
    handle: ({ actor, params: { session }, body }) => application().updateSession(actor, session, body),
  }),
  DELETE: defineRoute({
    permission: 'conversation:write',
    params,
    handle: ({ actor, params: { session } }) => application().deleteSession(actor, session),
  }),
});
