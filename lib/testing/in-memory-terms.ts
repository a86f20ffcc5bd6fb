import { AppError, type Id } from '#lib/kernel/index.ts';
import type { OntologyTerm, TermStore } from '#lib/knowledge/index.ts';

/** The terms of one tenant in memory, with the promises of `TermStore`. */
export function createInMemoryTerms(): TermStore {
  const terms = new Map<Id<'term'>, OntologyTerm>();
  return {
    list: async (limit) => [...terms.values()].sort((a, b) => (a.term < b.term ? -1 : 1)).slice(0, limit),
    find: async (id) => terms.get(id) ?? null,
    async put({ term, expectedVersion }) {
      const isTaken = [...terms.values()].some((known) => known.term === term.term && known.id !== term.id);
      if (isTaken || (terms.get(term.id)?.version ?? null) !== expectedVersion)
        throw new AppError({ code: 'conflict', message: 'Somebody has saved this term meanwhile.' });
      const saved: OntologyTerm = { ...term, version: (expectedVersion ?? 0) + 1, updatedAt: new Date() };
      terms.set(term.id, saved);
      return saved;
    },
    delete: async (id) => terms.delete(id),
  };
}
