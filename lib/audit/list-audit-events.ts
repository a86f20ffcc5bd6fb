import { AppError, parseId, type UnitOfWork } from '#lib/kernel/index.ts';
import { type Actor, readCursor, requirePermission, toPage } from '#lib/tenancy/index.ts';
import type { AuditPage, AuditQuery } from './contract.ts';
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
      auditReader.list({ before, limit: query.limit + 1, type: query.type ?? null, runId }),
    );
    return toPage(rows, { limit: query.limit, cursorOf: (event) => event.id, view: (event) => event });
  };
