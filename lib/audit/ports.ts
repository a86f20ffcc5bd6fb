import type { AuditEntry } from './domain/audit-event.ts';

/** Appends inside the caller's transaction: no audit call stands outside one. */
export interface AuditLog {
  record(entry: AuditEntry): Promise<void>;
}
