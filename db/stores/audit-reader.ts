import { and, desc, eq, gte, inArray, lt } from 'drizzle-orm';
import { z } from 'zod';
import { auditEventView } from '#lib/audit/contract.ts';
import { type AuditReader, viaOf } from '#lib/audit/index.ts';
import { type Id, parseId } from '#lib/kernel/index.ts';
import { appUser, auditEvent } from '../schema/index.ts';
import type { TenantBinding } from '../tenant-binding.ts';

/** What was stored: the canonical event, from which alone the view is made. The columns beside it serve the search. */
const storedEvent = z.object({
  id: z.string(),
  at: z.string(),
  type: z.string(),
  actor: z.object({ kind: auditEventView.shape.actor.shape.kind, id: z.string() }),
  target: auditEventView.shape.target,
  runId: z.string().nullable(),
  details: z.record(z.string(), z.unknown()),
  ip: z.string().optional(),
});

export function bindAuditReader({ transaction, scope: { tenantId } }: TenantBinding): AuditReader {
  return {
    async isRecorded({ type, runId, actorId, since }) {
      const [row] = await transaction
        .select({ id: auditEvent.id })
        .from(auditEvent)
        .where(
          and(
            eq(auditEvent.tenantId, tenantId),
            eq(auditEvent.runId, runId),
            eq(auditEvent.type, type),
            eq(auditEvent.actorId, actorId),
            gte(auditEvent.at, since),
          ),
        )
        .limit(1);
      return row !== undefined;
    },

    async list({ before, limit, types, runId, actorId, targetId, actorKinds, from, to }) {
      const rows = await transaction
        .select({ payload: auditEvent.payload })
        .from(auditEvent)
        .where(
          and(
            eq(auditEvent.tenantId, tenantId),
            before ? lt(auditEvent.id, before) : undefined,
            types === null ? undefined : inArray(auditEvent.type, [...types]),
            actorId === null ? undefined : eq(auditEvent.actorId, actorId),
            targetId === null ? undefined : eq(auditEvent.targetId, targetId),
            actorKinds === null ? undefined : inArray(auditEvent.actorKind, [...actorKinds]),
            from === null ? undefined : gte(auditEvent.at, from),
            to === null ? undefined : lt(auditEvent.at, to),
            runId ? eq(auditEvent.runId, runId) : undefined,
          ),
        )
        .orderBy(desc(auditEvent.id))
        .limit(limit);
      const events = rows.map(({ payload }) => storedEvent.parse(JSON.parse(payload)));
      const names = await namesOf(events.flatMap(({ actor }) => (actor.kind === 'user' ? (parseId('user', actor.id) ?? []) : [])));
      return events.map(({ ip, ...event }) => ({
        ...event,
        actor: { ...event.actor, name: names.get(event.actor.id) ?? null },
        via: viaOf(event.actor),
        // Sign-ins have kept theirs among the details from the first.
        ip: ip ?? (typeof event.details['ip'] === 'string' ? event.details['ip'] : null),
      }));
    },
  };

  async function namesOf(userIds: readonly Id<'user'>[]): Promise<ReadonlyMap<string, string>> {
    if (userIds.length === 0) return new Map();
    const people = await transaction
      .select({ id: appUser.id, name: appUser.name })
      .from(appUser)
      .where(inArray(appUser.id, [...new Set(userIds)]));
    return new Map(people.map(({ id, name }) => [id, name]));
  }
}
