import { z } from 'zod';
import { application } from '#lib/composition/index.ts';
import { defineRoute, idParameter, methods } from '#lib/http/index.ts';
import { budgetView, setBudgetLimitsBody } from '#lib/models/contract.ts';

const params = z.object({ budget: idParameter('budget') });

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  PATCH: defineRoute({
    permission: 'budget:manage',
    params,
    body: setBudgetLimitsBody,
    response: budgetView,
    handle: ({ actor, params: { budget }, body }) => application().setBudgetLimits(actor, budget, body),
  }),
  DELETE: defineRoute({
    permission: 'budget:manage',
    params,
    handle: ({ actor, params: { budget } }) => application().deleteBudget(actor, budget),
  }),
});
