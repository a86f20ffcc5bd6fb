import { and, desc, eq } from 'drizzle-orm';
import type { FactStore } from '#lib/knowledge/index.ts';
import { storedFact } from '../schema/index.ts';
import type { TenantBinding } from './index.ts';

export function bindFactStore({ transaction, scope, clock }: TenantBinding): FactStore {
  const { tenantId } = scope;
  return {
    async list(userId, limit) {
      const rows = await transaction
        .select()
        .from(storedFact)
        .where(and(eq(storedFact.tenantId, tenantId), eq(storedFact.userId, userId)))
        .orderBy(desc(storedFact.id))
        .limit(limit);
      return rows.map(({ id, userId: owner, text, runId, createdAt }) => ({ id, userId: owner, text, runId, createdAt }));
    },

    async put(fact) {
      await transaction
        .insert(storedFact)
        .values({ tenantId, ...fact, updatedAt: clock.now() })
        .onConflictDoUpdate({
          target: storedFact.id,
          set: { text: fact.text, updatedAt: clock.now() },
          setWhere: and(eq(storedFact.tenantId, tenantId), eq(storedFact.userId, fact.userId)),
        });
    },

    async forget(userId, factId) {
      const rows = await transaction
        .delete(storedFact)
        .where(and(eq(storedFact.tenantId, tenantId), eq(storedFact.userId, userId), eq(storedFact.id, factId)))
        .returning({ id: storedFact.id });
      return rows.length > 0;
    },
  };
}
