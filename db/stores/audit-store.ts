import { type AuditActor, type AuditLog, toAuditRecord } from '#lib/audit/index.ts';
import type { TenantScope } from '#lib/kernel/index.ts';
import { currentRequestIp } from '#lib/telemetry/index.ts';
import { auditEvent } from '../schema/index.ts';
import type { TenantBinding } from '../tenant-binding.ts';

export function bindAuditLog({ transaction, scope, clock }: TenantBinding): AuditLog {
  return {
    async record(entry) {
      const record = toAuditRecord(entry, { tenantId: scope.tenantId, actor: actorOf(scope), at: clock.now(), ip: currentRequestIp() });
      await transaction.insert(auditEvent).values({
        tenantId: scope.tenantId,
        id: record.id,
        at: record.at,
        type: record.type,
        actorKind: record.actor.kind,
        actorId: record.actor.id,
        targetKind: record.target.kind,
        targetId: record.target.id,
        runId: record.runId,
        payload: record.payload,
        hash: record.hash,
      });
    },
  };
}

function actorOf({ userId, apiKeyId }: TenantScope): AuditActor {
  if (apiKeyId) return { kind: 'api-key', id: apiKeyId };
  return userId ? { kind: 'user', id: userId } : { kind: 'system', id: 'bailiwick' };
}
