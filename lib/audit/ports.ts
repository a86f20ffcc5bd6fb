import type { Id } from '#lib/kernel/index.ts';
import type { AuditEventView } from './contract.ts';
import type { AuditEntry } from './domain/audit-event.ts';

/** Appends inside the caller's transaction: no audit call stands outside one. */
export interface AuditLog {
  record(entry: AuditEntry): Promise<void>;
}

/** Reads the log of the tenant it is bound to. */
export interface AuditReader {
  /** Newest first, older than `before`. */
  list(page: { before: Id<'audit'> | null; limit: number; type: string | null; runId: Id<'run'> | null }): Promise<AuditEventView[]>;
}
