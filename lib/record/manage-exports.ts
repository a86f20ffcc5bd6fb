import { AppError, type Id, newId, parseId } from '#lib/kernel/index.ts';
import { type Actor, auditedAs, requirePermission } from '#lib/tenancy/index.ts';
import type { ExportBody, ExportView } from './contract.ts';
import { EXPORT_KEPT_MS, exportFileName, OPEN_EXPORTS } from './domain/export-states.ts';
import type { RunExport, ViewDependencies } from './ports.ts';
import { openRun } from './view-runs.ts';

const LISTED = 50;

/**
 * Asks for a file of one run or of a filtered set; it is made in the background. A set is redacted; one run is as its
 * reader sees it now. Throws `permission_denied`, `not_found` for a run they may not see, `limit_reached`.
 */
export async function createExport(deps: ViewDependencies, actor: Actor, body: ExportBody): Promise<ExportView> {
  requirePermission(actor, 'audit:export');
  const runId = body.run === undefined ? null : parseId('run', body.run);
  if (body.run !== undefined && !runId) throw new AppError({ code: 'not_found', message: 'There is no such run.' });
  const redaction = runId && (await openRun(deps, actor, runId)).kind !== 'redacted' ? 'plain' : 'redacted';
  const createdAt = deps.clock.now();
  const id = newId('export');
  const fileName = exportFileName({ runId, at: createdAt, redaction, format: body.format });
  const { userId } = actor.scope;
  return deps.unitOfWork.within(actor.scope, async ({ exports, audit }) => {
    const open = (await exports.list(userId, LISTED)).filter(({ state }) => state === 'QUEUED' || state === 'RUNNING');
    if (open.length >= OPEN_EXPORTS)
      throw new AppError({ code: 'limit_reached', message: `${OPEN_EXPORTS} of your exports are under way. Wait for one, or stop it.` });
    const hasBom = body.bom && body.format === 'csv';
    await exports.add({
      id,
      userId,
      format: body.format,
      hasBom,
      runId,
      query: body.query,
      redaction,
      fileName,
      firstRunId: newId('run'),
      createdAt,
    });
    await audit.record({
      type: 'export.created',
      target: { kind: 'export', id, name: fileName },
      actor: auditedAs(actor),
      ...(runId && { runId }),
      details: { format: body.format, redaction, query: JSON.stringify(body.query) },
    });
    return toExportView(requireFound(await exports.find(id, userId)));
  });
}

/** One's own exports, newest first. */
export async function listExports({ unitOfWork }: ViewDependencies, actor: Actor): Promise<{ items: ExportView[] }> {
  requirePermission(actor, 'audit:export');
  return unitOfWork.within(actor.scope, async ({ exports }) => ({
    items: (await exports.list(actor.scope.userId, LISTED)).map(toExportView),
  }));
}

/** One's own export. Throws `not_found`. */
export async function getExport({ unitOfWork }: ViewDependencies, actor: Actor, id: Id<'export'>): Promise<ExportView> {
  requirePermission(actor, 'audit:export');
  return unitOfWork.within(actor.scope, async ({ exports }) => toExportView(requireFound(await exports.find(id, actor.scope.userId))));
}

/** Stops an export and throws away what was written; one that has ended stays as it is. */
export async function cancelExport({ unitOfWork, clock }: ViewDependencies, actor: Actor, id: Id<'export'>): Promise<ExportView> {
  requirePermission(actor, 'audit:export');
  return unitOfWork.within(actor.scope, async ({ exports, audit }) => {
    const known = requireFound(await exports.find(id, actor.scope.userId));
    const ended = await exports.end(id, { state: 'CANCELLED', at: clock.now(), expiresAt: null });
    if (!ended) return toExportView(known);
    await exports.dropParts(id);
    await audit.record({ type: 'export.cancelled', target: { kind: 'export', id, name: known.fileName }, actor: auditedAs(actor) });
    return toExportView(ended);
  });
}

/**
 * The file of one's own export, piece by piece. Throws `not_found`, `conflict` before it is done. That it was fetched is on
 * the record before the first piece leaves.
 */
export async function downloadExport(
  deps: ViewDependencies,
  actor: Actor,
  id: Id<'export'>,
): Promise<{ made: ExportView; pieces: () => AsyncGenerator<string, void, undefined> }> {
  requirePermission(actor, 'audit:export');
  const made = await deps.unitOfWork.within(actor.scope, async ({ exports, audit }) => {
    const known = requireFound(await exports.find(id, actor.scope.userId));
    if (known.state === 'EXPIRED' || (known.expiresAt && known.expiresAt <= deps.clock.now()))
      throw new AppError({ code: 'not_found', message: 'This file was kept for a day and has been deleted. Export again.' });
    if (known.state !== 'DONE')
      throw new AppError({ code: 'conflict', message: 'This export is not done.', details: { state: known.state } });
    await audit.record({
      type: 'export.downloaded',
      target: { kind: 'export', id, name: known.fileName },
      actor: auditedAs(actor),
      ...(known.runId && { runId: known.runId }),
      details: { bytes: known.byteCount, runs: known.runCount, redaction: known.redaction },
    });
    return known;
  });
  return { made: toExportView(made), pieces: () => readPieces(deps, actor, made) };
}

async function* readPieces(
  { unitOfWork }: ViewDependencies,
  actor: Actor,
  { id, partCount }: RunExport,
): AsyncGenerator<string, void, undefined> {
  for (let ordinal = 0; ordinal < partCount; ordinal += 1) {
    const body = await unitOfWork.within(actor.scope, ({ exports }) => exports.findPart(id, ordinal));
    if (body === null) throw new AppError({ code: 'not_found', message: 'This file has been deleted meanwhile.' });
    yield body;
  }
}

export function endedExport(at: Date): { at: Date; expiresAt: Date } {
  return { at, expiresAt: new Date(at.getTime() + EXPORT_KEPT_MS) };
}

function requireFound(found: RunExport | null): RunExport {
  if (!found) throw new AppError({ code: 'not_found', message: 'There is no such export.' });
  return found;
}

function toExportView(made: RunExport): ExportView {
  return {
    id: made.id,
    state: made.state,
    format: made.format,
    runId: made.runId,
    query: made.query,
    redaction: made.redaction,
    fileName: made.fileName,
    runCount: made.runCount,
    totalCount: made.totalCount,
    byteCount: made.byteCount,
    error: made.errorMessage,
    createdAt: made.createdAt.toISOString(),
    endedAt: made.endedAt?.toISOString() ?? null,
    expiresAt: made.expiresAt?.toISOString() ?? null,
  };
}
