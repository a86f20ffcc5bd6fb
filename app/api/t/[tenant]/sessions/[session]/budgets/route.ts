import { z } from 'zod';
import { application } from '#lib/composition/index.ts';
import { defineRoute, idParameter, methods } from '#lib/http/index.ts';
import { budgetPage } from '#lib/models/contract.ts';

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: defineRoute({
    permission: 'conversation:read',
    params: z.object({ session: idParameter('session') }),
    response: budgetPage,
    handle: ({ actor, params: { session } }) => application().listSessionBudgets(actor, session),
  }),
});
