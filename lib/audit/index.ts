export { type AuditActor, type AuditEntry, type AuditEventType, type AuditTarget } from './domain/audit-event.ts';
export { viaOf } from './domain/audit-kind.ts';
export { type AuditRecord, toAuditRecord } from './domain/audit-record.ts';
export { REDACTION_MARK, redactText, redactValue, withoutPersonalData } from './domain/redact.ts';
export { listAuditEvents } from './list-audit-events.ts';
export type { AuditLog, AuditReader } from './ports.ts';
