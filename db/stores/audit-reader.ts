import { and, desc, eq, inArray, lt } from 'drizzle-orm';
import { z } from 'zod';
import { auditEventView } from '#lib/audit/contract.ts';
import type { AuditReader } from '#lib/audit/index.ts';
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
});

export function bindAuditReader({ transaction, scope: { tenantId } }: TenantBinding): AuditReader {
  return {
    async list({ before, limit, type, runId }) {
      const rows = await transaction
        .select({ payload: auditEvent.payload })
        .from(auditEvent)
        .where(
          and(
            eq(auditEvent.tenantId, tenantId),
            before ? lt(auditEvent.id, before) : undefined,
            type === null ? undefined : eq(auditEvent.type, type),
            runId ? eq(auditEvent.runId, runId) : undefined,
          ),
        )
        .orderBy(desc(auditEvent.id))
        .limit(limit);
      const events = rows.map(({ payload }) => storedEvent.parse(JSON.parse(payload)));
      const names = await namesOf(events.flatMap(({ actor }) => (actor.kind === 'user' ? (parseId('user', actor.id) ?? []) : [])));
      return events.map((event) => ({ ...event, actor: { ...event.actor, name: names.get(event.actor.id) ?? null } }));
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
