import { and, asc, eq } from 'drizzle-orm';
import type { Row } from 'postgres';
import { z } from 'zod';
import { AppError, fromUuid } from '#lib/kernel/index.ts';
import type { OntologyTerm, TermStore } from '#lib/knowledge/index.ts';
import { ontologyTerm } from '../schema/index.ts';
import type { TenantBinding } from '../tenant-binding.ts';

export function bindTermStore({ transaction, scope, clock }: TenantBinding): TermStore {
  const { tenantId } = scope;
  const ofTenant = eq(ontologyTerm.tenantId, tenantId);
  const findByName = async (term: string) => {
    const [row] = await transaction
      .select({ id: ontologyTerm.id })
      .from(ontologyTerm)
      .where(and(ofTenant, eq(ontologyTerm.term, term)));
    return row?.id ?? null;
  };

  return {
    async list(limit) {
      const rows = await transaction.select().from(ontologyTerm).where(ofTenant).orderBy(asc(ontologyTerm.term)).limit(limit);
      return rows.map(toTerm);
    },

    async find(id) {
      const [row] = await transaction
        .select()
        .from(ontologyTerm)
        .where(and(ofTenant, eq(ontologyTerm.id, id)));
      return row ? toTerm(row) : null;
    },

    async put({ term: { id, ...draft }, expectedVersion }) {
      const now = clock.now();
      const owner = await findByName(draft.term);
      if (owner !== null && owner !== id) throw taken(draft.term);
      const saved =
        expectedVersion === null
          ? await transaction
              .insert(ontologyTerm)
              .values({ tenantId, id, ...draft, createdAt: now, updatedAt: now })
              .onConflictDoNothing()
              .returning()
          : await transaction
              .update(ontologyTerm)
              .set({ ...draft, version: expectedVersion + 1, updatedAt: now })
              .where(and(ofTenant, eq(ontologyTerm.id, id), eq(ontologyTerm.version, expectedVersion)))
              .returning();
      const row = saved[0];
      if (row) return toTerm(row);
      // A new term that could not be inserted: somebody has added it a moment ago.
      if (expectedVersion === null) throw taken(draft.term);
      throw new AppError({
        code: 'conflict',
        message: 'Somebody has saved this term meanwhile. Load it again, then repeat your change.',
        details: { termId: id, expectedVersion },
      });
    },

    async delete(id) {
      const rows = await transaction
        .delete(ontologyTerm)
        .where(and(ofTenant, eq(ontologyTerm.id, id)))
        .returning({ id: ontologyTerm.id });
      return rows.length > 0;
    },
  };
}

const synonymList = z.array(z.string());

/** A term as a raw statement gives it. */
export function readTerm(row: Row): OntologyTerm {
  return {
    id: fromUuid('term', String(row.id)),
    term: String(row.term),
    meaning: String(row.meaning),
    synonyms: synonymList.parse(row.synonyms),
    version: Number(row.version),
    updatedAt: row.updated_at as Date,
  };
}

function toTerm({ id, term, meaning, synonyms, version, updatedAt }: typeof ontologyTerm.$inferSelect): OntologyTerm {
  return { id, term, meaning, synonyms: synonymList.parse(synonyms), version, updatedAt };
}

function taken(term: string): AppError {
  return new AppError({ code: 'conflict', message: `There is a term ${JSON.stringify(term)} already. Edit that one.`, details: { term } });
}
