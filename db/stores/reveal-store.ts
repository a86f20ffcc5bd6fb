import { and, desc, eq } from 'drizzle-orm';
import type { RevealStore } from '#lib/record/index.ts';
import { runReveal } from '../schema/index.ts';
import type { TenantBinding } from '../tenant-binding.ts';

export function bindRevealStore({ transaction, scope: { tenantId } }: TenantBinding): RevealStore {
  return {
    async add(reveal) {
      await transaction.insert(runReveal).values({ tenantId, ...reveal });
    },

    async findEnd(runId, userId) {
      const [row] = await transaction
        .select({ expiresAt: runReveal.expiresAt })
        .from(runReveal)
        .where(and(eq(runReveal.tenantId, tenantId), eq(runReveal.runId, runId), eq(runReveal.userId, userId)))
        .orderBy(desc(runReveal.expiresAt))
        .limit(1);
      return row?.expiresAt ?? null;
    },
  };
}
