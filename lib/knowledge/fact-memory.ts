import { type FactMemory, type RememberedFact, scanTokens } from '#lib/capabilities/index.ts';
import { type Clock, fromUuid, type Id, toUuid } from '#lib/kernel/index.ts';
import type { Fact, KnowledgeUnitOfWork } from './ports.ts';

/** More facts than this are not looked through; people keep dozens. */
const FACT_LIMIT = 500;

/**
 * The facts a person keeps across sessions, for the memory capabilities (requirement P-09). A fact takes its id from the
 * invocation that keeps it, so a call repeated after a crash keeps one.
 */
export function createFactMemory(dependencies: { unitOfWork: KnowledgeUnitOfWork<'facts' | 'audit'>; clock: Clock }): FactMemory {
  const { unitOfWork, clock } = dependencies;
  return {
    async remember({ scope, text, runId, invocationId }) {
      const fact: Fact = { id: factIdOf(invocationId), userId: scope.userId, text, runId, createdAt: clock.now() };
      await unitOfWork.within(scope, async ({ facts, audit }) => {
        await facts.put(fact);
        await audit.record({ type: 'fact.remembered', target: { kind: 'fact', id: fact.id }, runId });
      });
      return toRemembered(fact);
    },
    async recall({ scope, query }) {
      const all = await unitOfWork.within(scope, ({ facts }) => facts.list(scope.userId, FACT_LIMIT));
      return (query === null ? all : matchFacts(all, query, RECALL_SHARE)).map(toRemembered);
    },
    async forget({ scope, query, runId }) {
      return unitOfWork.within(scope, async ({ facts, audit }) => {
        const matching = matchFacts(await facts.list(scope.userId, FACT_LIMIT), query, FORGET_SHARE);
        for (const fact of matching) {
          await facts.forget(scope.userId, fact.id);
          await audit.record({ type: 'fact.forgotten', target: { kind: 'fact', id: fact.id }, runId });
        }
        return matching.map(toRemembered);
      });
    },
  };
}

/** Recalling shows what has something of the query; forgetting needs more, for it cannot be undone. */
const RECALL_SHARE = 0.25;
const FORGET_SHARE = 0.5;

/** The facts that have at least this share of the query's tokens, best first, and not much less than the best. */
export function matchFacts<Item extends { readonly text: string }>(facts: readonly Item[], query: string, share: number): Item[] {
  const wanted = weighTokens(query);
  const total = [...wanted.values()].reduce((sum, weight) => sum + weight, 0);
  if (total === 0) return [];
  const scored = facts
    .map((fact) => {
      const tokens = weighTokens(fact.text);
      return { fact, score: [...wanted].reduce((sum, [token, weight]) => sum + (tokens.has(token) ? weight : 0), 0) / total };
    })
    .filter(({ score }) => score >= share)
    .sort((a, b) => b.score - a.score);
  const best = scored[0]?.score ?? 0;
  return scored.filter(({ score }) => score >= best * 0.7).map(({ fact }) => fact);
}

/** Words and pairs count 1; a single Chinese character, often half of a word said otherwise, half. */
function weighTokens(text: string): ReadonlyMap<string, number> {
  return new Map(
    scanTokens(text.normalize('NFKC').slice(0, 4000)).map((token) => [
      token.text,
      token.kind === 'character' || token.kind === 'lone' ? 0.5 : 1,
    ]),
  );
}

function factIdOf(invocationId: Id<'invocation'>): Id<'fact'> {
  return fromUuid('fact', toUuid(invocationId));
}

function toRemembered(fact: Fact): RememberedFact {
  return { id: fact.id, text: fact.text, createdAt: fact.createdAt };
}
