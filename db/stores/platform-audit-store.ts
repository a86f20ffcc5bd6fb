import { type AuditLog, toAuditRecord } from '#lib/audit/index.ts';
import { platformAudit } from '../schema/index.ts';
import type { PlatformBinding } from '../tenant-binding.ts';

/** What happened outside any tenant. */
export function bindPlatformAudit({ transaction, scope, clock }: PlatformBinding): AuditLog {
  return {
    async record(entry) {
      const actor = scope.userId ? ({ kind: 'user', id: scope.userId } as const) : ({ kind: 'unknown', id: 'unknown' } as const);
      const record = toAuditRecord(entry, { tenantId: null, actor, at: clock.now() });
      await transaction.insert(platformAudit).values({
        id: record.id,
        at: record.at,
        type: record.type,
        actorKind: record.actor.kind,
        actorId: record.actor.id,
        targetKind: record.target.kind,
        targetId: record.target.id,
        payload: record.payload,
        hash: record.hash,
      });
    },
  };
}
