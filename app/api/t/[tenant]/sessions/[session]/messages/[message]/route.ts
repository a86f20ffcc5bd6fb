import { z } from 'zod';
import { application } from '#lib/composition/index.ts';
import { updateMessageBody } from '#lib/conversations/contract.ts';
import { defineRoute, idParameter, methods } from '#lib/http/index.ts';

const params = z.object({ session: idParameter('session'), message: idParameter('message') });

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  PATCH: defineRoute({
    permission: 'conversation:write',
    params,
    body: updateMessageBody,
    handle: ({ actor, params: { session, message }, body }) =>
      application().pinMessage(actor, { sessionId: session, messageId: message, ...body }),
  }),
});
