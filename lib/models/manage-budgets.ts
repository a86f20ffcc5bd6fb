import { AppError, type Clock, type Id, type JsonObject, newId, parseId, type UnitOfWork } from '#lib/kernel/index.ts';
import { type Actor, requirePermission } from '#lib/tenancy/index.ts';
import type { BudgetView, CreateBudget, SetBudgetLimits } from './contract.ts';
import { type Budget, requireSoundBudget } from './domain/budget.ts';
import type { BudgetRecord, BudgetStores } from './ports.ts';

export interface ManageBudgets {
  readonly unitOfWork: UnitOfWork<BudgetStores>;
  readonly clock: Clock;
}

/** Every budget of the workspace, with what is used of each and by whom. */
export async function listBudgets({ unitOfWork }: ManageBudgets, actor: Actor): Promise<{ items: BudgetView[] }> {
  requirePermission(actor, 'budget:read');
  return unitOfWork.within(actor.scope, async ({ budgets }) => ({ items: await budgets.view() }));
}

/** What holds for a chat of one's own, of its person's and the chat's own budgets. Throws `session_not_found`. */
export async function listSessionBudgets(
  { unitOfWork }: ManageBudgets,
  actor: Actor,
  sessionId: Id<'session'>,
): Promise<{ items: BudgetView[] }> {
  const { userId } = actor.scope;
  return unitOfWork.within(actor.scope, async ({ budgets }) => {
    if (!(await budgets.isSessionOf(sessionId, userId))) throw new AppError({ code: 'session_not_found', message: 'session not found' });
    return { items: await budgets.viewOfSession(sessionId, userId) };
  });
}

/**
 * Counts what was used in its period before. A run that is under way is held to it when it next goes on. Throws
 * `invalid_request`; `not_found` for a person who is no member; `conflict` where there is one for the same.
 */
export async function createBudget({ unitOfWork, clock }: ManageBudgets, actor: Actor, body: CreateBudget): Promise<BudgetView> {
  requirePermission(actor, 'budget:manage');
  const record: BudgetRecord = {
    ...body,
    id: newId('budget'),
    userId: body.userId === null ? null : requireMemberId(body.userId),
    updatedAt: clock.now(),
    updatedBy: actor.scope.userId,
  };
  requireSoundBudget(record);
  return unitOfWork.within(actor.scope, async ({ budgets, audit }) => {
    if (record.userId !== null && (await budgets.findMemberName(record.userId)) === null) throw noMember();
    await budgets.add(record);
    await audit.record({ type: 'budget.created', target: toTarget(record), details: describe(record) });
    return requireView(await budgets.view(), record.id);
  });
}

/** Holds from the next model call on. Throws `not_found` and `invalid_request`. */
export async function setBudgetLimits(
  { unitOfWork }: ManageBudgets,
  actor: Actor,
  id: Id<'budget'>,
  limits: SetBudgetLimits,
): Promise<BudgetView> {
  requirePermission(actor, 'budget:manage');
  return unitOfWork.within(actor.scope, async ({ budgets, audit }) => {
    const before = await budgets.find(id);
    if (!before) throw notFound();
    const after: BudgetRecord = { ...before, ...limits };
    requireSoundBudget(after);
    await budgets.setLimits(id, limits, actor.scope.userId);
    await audit.record({
      type: 'budget.updated',
      target: toTarget(before),
      details: { before: describe(before), after: describe(after) },
    });
    return requireView(await budgets.view(), id);
  });
}

/** What it held back is free at once. Throws `not_found`. */
export async function deleteBudget({ unitOfWork }: ManageBudgets, actor: Actor, id: Id<'budget'>): Promise<void> {
  requirePermission(actor, 'budget:manage');
  await unitOfWork.within(actor.scope, async ({ budgets, audit }) => {
    const known = await budgets.find(id);
    if (!known) throw notFound();
    await budgets.remove(id);
    await audit.record({ type: 'budget.deleted', target: toTarget(known), details: describe(known) });
  });
}

function toTarget({ id, subject, measure, period }: Budget) {
  return { kind: 'budget', id, name: `${subject}, ${measure}, ${period}` };
}

function describe({ subject, userId, measure, currency, period, softLimit, hardLimit }: Budget): JsonObject {
  return { subject, userId, measure, currency, period, softLimit, hardLimit };
}

function requireMemberId(text: string): Id<'user'> {
  const id = parseId('user', text);
  if (!id) throw noMember();
  return id;
}

function requireView(views: readonly BudgetView[], id: Id<'budget'>): BudgetView {
  const view = views.find((each) => each.id === id);
  if (!view) throw notFound();
  return view;
}

function noMember(): AppError {
  return new AppError({ code: 'not_found', message: 'There is no such member.', details: { path: 'userId' } });
}

function notFound(): AppError {
  return new AppError({ code: 'not_found', message: 'There is no such budget.' });
}
