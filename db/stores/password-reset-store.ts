import { and, eq, gt } from 'drizzle-orm';
import type { PasswordResetStore } from '#lib/auth/index.ts';
import type { Clock } from '#lib/kernel/index.ts';
import { passwordReset } from '../schema/index.ts';
import type { Transaction } from '../tenant-binding.ts';

export function bindPasswordResetStore({ transaction, clock }: { transaction: Transaction; clock: Clock }): PasswordResetStore {
  const serving = (hash: string) => and(eq(passwordReset.hash, hash), gt(passwordReset.expiresAt, clock.now()));
  const stands = { userId: passwordReset.userId, tenantId: passwordReset.tenantId };
  const removeAllOf: PasswordResetStore['removeAllOf'] = async (userId) => {
    await transaction.delete(passwordReset).where(eq(passwordReset.userId, userId));
  };
  return {
    async put(reset) {
      await removeAllOf(reset.userId);
      await transaction.insert(passwordReset).values(reset);
    },
    async find(hash) {
      const [row] = await transaction.select(stands).from(passwordReset).where(serving(hash));
      return row ?? null;
    },
    async take(hash) {
      const [row] = await transaction.delete(passwordReset).where(serving(hash)).returning(stands);
      return row ?? null;
    },
    removeAllOf,
  };
}
