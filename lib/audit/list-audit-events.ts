import { AppError, parseId, type UnitOfWork } from '#lib/kernel/index.ts';
import { type Actor, readCursor, requirePermission, toPage } from '#lib/tenancy/index.ts';
import type { AuditEventView, AuditPage, AuditQuery } from './contract.ts';
import { actorKindsOf, typesOfKind } from './domain/audit-kind.ts';
import { redactValue } from './domain/redact.ts';
import type { AuditReader } from './ports.ts';

/** Who did what in the tenant, newest first. */
export const listAuditEvents =
  (deps: { unitOfWork: UnitOfWork<{ readonly auditReader: AuditReader }> }) =>
  async (actor: Actor, query: AuditQuery): Promise<AuditPage> => {
    requirePermission(actor, 'audit:read');
    const before = readCursor('audit', query.cursor);
    const runId = query.run === undefined ? null : parseId('run', query.run);
    if (query.run !== undefined && !runId)
      throw new AppError({ code: 'invalid_request', message: 'This is no id of a run.', details: { path: 'run' } });
    const rows = await deps.unitOfWork.within(actor.scope, ({ auditReader }) =>
      auditReader.list({
        before,
        limit: query.limit + 1,
        types: typesOf(query),
        runId,
        actorId: query.actor ?? null,
        targetId: query.target ?? null,
        actorKinds: query.via ? actorKindsOf(query.via) : null,
        from: query.from === undefined ? null : new Date(query.from),
        to: query.to === undefined ? null : new Date(query.to),
      }),
    );
    return toPage(rows, { limit: query.limit, cursorOf: (event) => event.id, view: withoutPersonalDetails });
  };

function typesOf({ type, kind }: AuditQuery): readonly string[] | null {
  if (type !== undefined) return [type];
  return kind === undefined ? null : typesOfKind(kind);
}

/** What was said in a run is hidden here as it is in the run; who was changed in which way is what the log is for. */
function withoutPersonalDetails(event: AuditEventView): AuditEventView {
  return event.runId === null ? event : { ...event, details: redactValue(event.details) };
}
