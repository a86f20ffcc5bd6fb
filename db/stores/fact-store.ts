import { and, desc, eq, sql } from 'drizzle-orm';
import { toUuid } from '#lib/kernel/index.ts';
import type { FactStore } from '#lib/knowledge/index.ts';
import { storedFact } from '../schema/index.ts';
import type { TenantBinding } from '../tenant-binding.ts';

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
          setWhere: sql`${storedFact.tenantId} = ${toUuid(tenantId)} and ${storedFact.userId} = ${toUuid(fact.userId)}`,
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
