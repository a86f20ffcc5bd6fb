import type { AuditLog, AuditReader } from '#lib/audit/index.ts';
import type { Clock, TenantScope } from '#lib/kernel/index.ts';
import type { Transaction } from '../unit-of-work.ts';
import { bindAuditReader } from './audit-reader.ts';
import { bindAuditLog } from './audit-store.ts';
import { type BoundTenancyStores, bindTenancyStores } from './tenancy-stores.ts';

/** What a store is bound to: it cannot reach beyond this transaction and this tenant. */
export interface TenantBinding {
  readonly transaction: Transaction;
  readonly scope: TenantScope;
  readonly clock: Clock;
}

/** Every store of a tenant; a use case asks for the subset it needs. */
export interface TenantStores extends BoundTenancyStores {
  readonly audit: AuditLog;
  readonly auditReader: AuditReader;
}

export function bindStores(binding: TenantBinding): TenantStores {
  return {
    audit: bindAuditLog(binding),
    auditReader: bindAuditReader(binding),
    ...bindTenancyStores(binding),
  };
}
