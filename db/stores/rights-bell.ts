import { sql } from 'drizzle-orm';
import type { RightsBell } from '#lib/tenancy/index.ts';
import type { Transaction } from '../tenant-binding.ts';

/** Channel on which a commit names whose rights it changed: {"tenantId": id or null, "userId": id or null}; null means all. */
export const RIGHTS_CHANNEL = 'bailiwick_rights';

export function bindRightsBell({ transaction }: { transaction: Transaction }): RightsBell {
  return {
    async ring({ tenantId, userId }) {
      await transaction.execute(sql`select pg_notify(${RIGHTS_CHANNEL}, ${JSON.stringify({ tenantId, userId })})`);
    },
  };
}
