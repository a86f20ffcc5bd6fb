import { createHash } from 'node:crypto';
import { canonicalJson, type Id, newId, storableJson } from '#lib/kernel/index.ts';
import type { AuditActor, AuditEntry, AuditEventType, AuditTarget } from './audit-event.ts';

/** A row as it is stored: the canonical payload and its hash are fixed here, from the first row on. */
export interface AuditRecord {
  readonly id: Id<'audit'>;
  readonly tenantId: Id<'tenant'> | null;
  readonly at: Date;
  readonly type: AuditEventType;
  readonly actor: AuditActor;
  readonly target: AuditTarget;
  readonly runId: Id<'run'> | null;
  readonly payload: string;
  readonly hash: string;
}

export function toAuditRecord(
  entry: AuditEntry,
  context: { tenantId: Id<'tenant'> | null; actor: AuditActor; at: Date; ip?: string | null },
): AuditRecord {
  const id = newId('audit');
  const actor = entry.actor ?? context.actor;
  // Made storable before the hash is taken, so that text and hash stay equal.
  const event = storableJson({
    id,
    tenantId: context.tenantId,
    at: context.at.toISOString(),
    type: entry.type,
    actor,
    target: entry.target,
    runId: entry.runId ?? null,
    details: entry.details ?? {},
    ...(context.ip && { ip: context.ip }),
  });
  const payload = canonicalJson(event);
  return {
    id,
    tenantId: context.tenantId,
    at: context.at,
    type: entry.type,
    actor,
    target: entry.target,
    runId: entry.runId ?? null,
    payload,
    hash: createHash('sha256').update(payload).digest('hex'),
  };
}
