import type { Id } from './id.ts';

/** Whose rows a piece of work may touch. Row-level security enforces it a second time. */
export interface TenantScope {
  readonly tenantId: Id<'tenant'>;
  /** The person on whose behalf the work is done; absent for jobs of the platform. */
  readonly userId?: Id<'user'>;
  /** The key through which that person acts; the record then names the key. */
  readonly apiKeyId?: Id<'apiKey'>;
}

/**
 * One transaction of one tenant. The stores it hands out are bound to tenant and transaction, so an unscoped query cannot
 * be written outside `db/`. Model and tool calls never run inside `within`.
 */
export interface UnitOfWork<Stores> {
  within<Result>(scope: TenantScope, work: (stores: Stores) => Promise<Result>): Promise<Result>;
}
