import { AppError, type Clock, type Id, newId } from '#lib/kernel/index.ts';
import type { Actor } from '#lib/tenancy/index.ts';
import type { FactView } from './contract.ts';
import type { Fact, KnowledgeUnitOfWork } from './ports.ts';

interface Dependencies {
  readonly unitOfWork: KnowledgeUnitOfWork<'facts' | 'audit'>;
  readonly clock: Clock;
}

const FACT_LIMIT = 500;

/** One's own facts in this tenant, newest first (requirement P-09). */
export async function listFacts({ unitOfWork }: Dependencies, actor: Actor): Promise<{ items: FactView[] }> {
  const facts = await unitOfWork.within(actor.scope, (stores) => stores.facts.list(actor.scope.userId, FACT_LIMIT));
  return { items: facts.map(toView) };
}

export async function addFact({ unitOfWork, clock }: Dependencies, actor: Actor, text: string): Promise<FactView> {
  const fact: Fact = { id: newId('fact'), userId: actor.scope.userId, text, runId: null, createdAt: clock.now() };
  await unitOfWork.within(actor.scope, async ({ facts, audit }) => {
    await facts.put(fact);
    await audit.record({ type: 'fact.remembered', target: { kind: 'fact', id: fact.id } });
  });
  return toView(fact);
}

/** Throws `not_found`, as for another person's fact. */
export async function editFact({ unitOfWork }: Dependencies, actor: Actor, id: Id<'fact'>, text: string): Promise<FactView> {
  return unitOfWork.within(actor.scope, async ({ facts, audit }) => {
    const known = (await facts.list(actor.scope.userId, FACT_LIMIT)).find((fact) => fact.id === id);
    if (!known) throw notFound();
    const edited = { ...known, text };
    await facts.put(edited);
    await audit.record({ type: 'fact.updated', target: { kind: 'fact', id } });
    return toView(edited);
  });
}

/** Throws `not_found`. */
export async function forgetFact({ unitOfWork }: Dependencies, actor: Actor, id: Id<'fact'>): Promise<void> {
  await unitOfWork.within(actor.scope, async ({ facts, audit }) => {
    if (!(await facts.forget(actor.scope.userId, id))) throw notFound();
    await audit.record({ type: 'fact.forgotten', target: { kind: 'fact', id } });
  });
}

function toView({ id, text, runId, createdAt }: Fact): FactView {
  return { id, text, runId, createdAt: createdAt.toISOString() };
}

function notFound(): AppError {
  return new AppError({ code: 'not_found', message: 'There is no such fact.' });
}
