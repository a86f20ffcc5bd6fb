import type { Clock, TenantScope } from '#lib/kernel/index.ts';
import type { Orm } from './client.ts';

/** Drizzle inside a transaction. */
export type Transaction = Parameters<Parameters<Orm['transaction']>[0]>[0];

/** What a store is bound to: it cannot reach beyond this transaction and this tenant. */
export interface TenantBinding {
  readonly transaction: Transaction;
  readonly scope: TenantScope;
  readonly clock: Clock;
}

/** What a platform store is bound to: a transaction in which row-level security shows no tenant's rows. */
export interface PlatformBinding {
  readonly transaction: Transaction;
  readonly scope: Omit<TenantScope, 'tenantId'>;
  readonly clock: Clock;
}
