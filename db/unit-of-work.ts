import { sql } from 'drizzle-orm';
import { type Clock, type TenantScope, toUuid, type UnitOfWork } from '#lib/kernel/index.ts';
import type { Orm } from './client.ts';
import { asUnavailable } from './stores/database-error.ts';
import { bindStores, type TenantStores } from './stores/index.ts';
import type { Transaction } from './tenant-binding.ts';

/**
 * One transaction of one tenant: the setting that row-level security reads is made first, with `is_local`, so that it ends
 * with the transaction and cannot leak to the next user of the connection. Rejects with `unavailable` when the database is
 * away.
 */
export function createUnitOfWork(orm: Orm, clock: Clock): UnitOfWork<TenantStores> {
  return {
    within: (scope, work) =>
      orm
        .transaction(async (transaction) => {
          await enterTenant(transaction, scope);
          return work(bindStores({ transaction, scope, clock }));
        })
        .catch((error: unknown) => {
          throw asUnavailable(error);
        }),
  };
}

async function enterTenant(transaction: Transaction, scope: TenantScope): Promise<void> {
  await transaction.execute(
    sql`select set_config('app.tenant_id', ${toUuid(scope.tenantId)}, true), set_config('app.user_id', ${scope.userId ? toUuid(scope.userId) : ''}, true)`,
  );
}
