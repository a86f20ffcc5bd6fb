import { z } from 'zod';
import { application } from '#lib/composition/index.ts';
import { createSessionBody, sessionPage, sessionView } from '#lib/conversations/contract.ts';
import { defineRoute, methods } from '#lib/http/index.ts';

const query = z.object({
  cursor: z.string().optional(),
  limit: z.coerce.number().int().min(1).max(100).optional(),
  q: z.string().max(200).optional(),
  archived: z.enum(['true', 'false']).optional(),
});

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: defineRoute({
    permission: 'conversation:read',
    query,
    response: sessionPage,
    handle: ({ actor, query: { limit, archived, ...rest } }) =>
      application().listSessions(actor, { ...rest, archived: archived === 'true', ...(limit !== undefined && { limit }) }),
  }),
  POST: defineRoute({
    permission: 'conversation:write',
    body: createSessionBody,
    response: sessionView,
    status: 201,
    handle: ({ actor, body }) => application().createSession(actor, body),
  }),
});
