import { application } from '#lib/composition/index.ts';
import { defineRoute, methods } from '#lib/http/index.ts';
import { budgetPage, budgetView, createBudgetBody } from '#lib/models/contract.ts';

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: defineRoute({
    permission: 'budget:read',
    response: budgetPage,
    handle: ({ actor }) => application().listBudgets(actor),
  }),
  POST: defineRoute({
    permission: 'budget:manage',
    body: createBudgetBody,
    response: budgetView,
    status: 201,
    handle: ({ actor, body }) => application().createBudget(actor, body),
  }),
});
