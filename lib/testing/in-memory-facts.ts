import type { Id } from '#lib/kernel/index.ts';
import type { Fact, FactStore } from '#lib/knowledge/index.ts';

/** The facts of one tenant in memory, with the promises of `FactStore`. */
export function createInMemoryFacts(): FactStore {
  const facts = new Map<Id<'fact'>, Fact>();
  return {
    list: async (userId, limit) =>
      [...facts.values()]
        .filter((fact) => fact.userId === userId)
        .sort((a, b) => (a.id < b.id ? 1 : -1))
        .slice(0, limit),
    async put(fact) {
      const known = facts.get(fact.id);
      if (known && known.userId !== fact.userId) return;
      facts.set(fact.id, known ? { ...known, text: fact.text } : fact);
    },
    async forget(userId, factId) {
      return facts.get(factId)?.userId === userId && facts.delete(factId);
    },
  };
}
