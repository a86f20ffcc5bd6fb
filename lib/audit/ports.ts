import type { Id } from '#lib/kernel/index.ts';
import type { AuditEventView } from './contract.ts';
import type { AuditActor, AuditEntry, AuditEventType } from './domain/audit-event.ts';

/** Appends inside the caller's transaction: no audit call stands outside one. */
export interface AuditLog {
  record(entry: AuditEntry): Promise<void>;
}

/** Reads the log of the tenant it is bound to. */
export interface AuditReader {
  /** Whether somebody has done this to a run since then. */
  isRecorded(event: { type: AuditEventType; runId: Id<'run'>; actorId: string; since: Date }): Promise<boolean>;
  /** Newest first, older than `before`. */
  list(page: {
    before: Id<'audit'> | null;
    limit: number;
    /** Of these types; null for all. */
    types: readonly string[] | null;
    runId: Id<'run'> | null;
    actorId: string | null;
    targetId: string | null;
    actorKinds: readonly AuditActor['kind'][] | null;
    from: Date | null;
    to: Date | null;
  }): Promise<AuditEventView[]>;
}
