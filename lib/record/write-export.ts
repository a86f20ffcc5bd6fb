import { faultPoint, type Id, isAppError, messageOf } from '#lib/kernel/index.ts';
import type { RunEventView, RunView } from '#lib/supervisor/index.ts';
import { type Actor, hasPermission, requirePermission } from '#lib/tenancy/index.ts';
import { BYTE_ORDER_MARK, shapeOfLog, shapeOfRuns } from './domain/export-rows.ts';
import { redactEvent, redactRun } from './domain/redact-run.ts';
import { decideViewing } from './domain/viewing.ts';
import { endedExport } from './manage-exports.ts';
import type { ExportDependencies, ExportPiece, RecordStores, RunExport } from './ports.ts';

const RUNS_PER_PIECE = 50;
const EVENTS_PER_PIECE = 500;

interface Writing {
  readonly deps: ExportDependencies;
  readonly taken: RunExport;
  readonly actor: Actor;
}

/**
 * Writes an export from where it stands to its end: piece by piece, each with how far it has come in one transaction, so that
 * a process that dies loses at most the piece it was at and the next one goes on behind it. Memory holds one piece. It ends
 * DONE; FAILED when the person may no longer export or what they asked for cannot be read; or it stops without a word when
 * somebody cancelled it or took it on. A database that is away throws: the lease runs out, and it is tried again.
 */
export async function writeExport(
  deps: ExportDependencies,
  { tenantId, exportId }: { tenantId: Id<'tenant'>; exportId: Id<'export'> },
): Promise<void> {
  const { unitOfWork, clock } = deps;
  const taken = await unitOfWork.within({ tenantId }, ({ exports }) => exports.take(exportId, clock.now(), deps.leaseMs));
  if (!taken) return;
  const scope = { tenantId, userId: taken.userId };
  try {
    const actor = await deps.actorOf(scope);
    requirePermission(actor, 'audit:export');
    const writing = { deps, taken, actor };
    await (taken.runId ? writeRun(writing, taken.runId) : writeSet(writing));
  } catch (error) {
    if (!isAppError(error) || error.code === 'unavailable' || error.code === 'internal') throw error;
    await deps.unitOfWork.within({ tenantId }, (stores) =>
      recordEnd(stores, taken, { state: 'FAILED', errorMessage: messageOf(error), now: clock.now() }),
    );
  }
}

async function writeSet({ deps, taken, actor }: Writing): Promise<void> {
  const { reader } = deps;
  const shape = shapeOfRuns(taken.format);
  const access = { ownOnly: !hasPermission(actor, 'run:audit') };
  const totalCount =
    taken.totalCount ?? (await reader.facets(actor.scope, { ...taken.query, limit: 1, cursor: taken.firstRunId }, access)).total;
  let { lastRunId, runCount } = taken;
  let isHeadDue = taken.partCount === 0;
  for (;;) {
    const page = await reader.list(actor.scope, { ...taken.query, limit: RUNS_PER_PIECE, cursor: lastRunId ?? taken.firstRunId }, access);
    const runs = await readRuns(
      deps,
      actor,
      page.items.map(({ id }) => id as Id<'run'>),
    );
    const isLast = page.nextCursor === null;
    const body = `${isHeadDue ? headOf(taken, shape.head) : ''}${shape.piece(runs.map(redactRun), runCount === 0)}${isLast ? shape.tail : ''}`;
    runCount += runs.length;
    lastRunId = (page.items.at(-1)?.id as Id<'run'> | undefined) ?? lastRunId;
    const piece = { body, lastRunId, runCount, totalCount: Math.max(totalCount, runCount) };
    if ((await append(deps, taken, piece, isLast)) === 'over') return;
    isHeadDue = false;
  }
}

/** A run's log begins anew when another process takes it on: it is short beside a set. */
async function writeRun({ deps, taken, actor }: Writing, runId: Id<'run'>): Promise<void> {
  const isPlain = await mayBePlain(deps, taken, actor, runId);
  const [run] = await readRuns(deps, actor, [runId]);
  if (!run) return;
  if (taken.partCount > 0) await deps.unitOfWork.within(actor.scope, ({ exports }) => exports.dropParts(taken.id));
  const shape = shapeOfLog(taken.format, isPlain ? run : redactRun(run));
  let after = 0;
  for (;;) {
    const { items } = await deps.reader.events(actor.scope, runId, after, EVENTS_PER_PIECE);
    const isLast = items.length < EVENTS_PER_PIECE;
    const shown: readonly RunEventView[] = isPlain ? items : items.map(redactEvent);
    const body = `${after === 0 ? headOf(taken, shape.head) : ''}${shape.piece(shown, after === 0)}${isLast ? shape.tail : ''}`;
    if ((await append(deps, taken, { body, lastRunId: null, runCount: isLast ? 1 : 0, totalCount: 1 }, isLast)) === 'over') return;
    after = items.at(-1)?.seq ?? after;
  }
}

/** The file's name says "plain": it is, or there is no file. Throws `permission_denied` when a reveal has ended meanwhile. */
async function mayBePlain(
  { reader, unitOfWork, clock }: ExportDependencies,
  taken: RunExport,
  actor: Actor,
  runId: Id<'run'>,
): Promise<boolean> {
  const now = clock.now();
  const viewing = decideViewing({
    ownerId: await reader.findOwner(actor.scope, runId),
    viewerId: actor.scope.userId,
    mayAudit: hasPermission(actor, 'run:audit'),
    mayReveal: hasPermission(actor, 'run:reveal'),
    revealedUntil: await unitOfWork.within(actor.scope, ({ reveals }) => reveals.findEnd(runId, actor.scope.userId)),
    now,
  });
  if (taken.redaction === 'redacted') return false;
  if (!viewing || viewing.kind === 'redacted') requirePermission({ ...actor, permissions: new Set() }, 'run:reveal');
  return true;
}

async function readRuns({ reader }: ExportDependencies, actor: Actor, ids: readonly Id<'run'>[]): Promise<RunView[]> {
  const access = { ownOnly: !hasPermission(actor, 'run:audit') };
  const runs = await Promise.all(ids.map((id) => reader.get(actor.scope, id, access)));
  return runs.filter((run) => run !== null);
}

function headOf(taken: RunExport, head: string): string {
  return taken.hasBom ? BYTE_ORDER_MARK + head : head;
}

/**
 * One transaction: the piece, how far the export has come with it and, with the last one, its end. A process that dies beside
 * it leaves an export that is whole and done, or one whose next piece is still to come. `over`: it was the last, or somebody
 * cancelled the export or took it on.
 */
async function append(deps: ExportDependencies, taken: RunExport, piece: ExportPiece, isLast: boolean): Promise<'over' | 'going'> {
  const now = deps.clock.now();
  const leasedUntil = new Date(now.getTime() + deps.leaseMs);
  const isWritten = await deps.unitOfWork.within({ tenantId: taken.tenantId }, async (stores) => {
    const isOurs = await stores.exports.append(taken, piece, leasedUntil);
    if (isOurs && isLast) await recordEnd(stores, taken, { state: 'DONE', now });
    faultPoint('export.piece-unrecorded');
    return isOurs;
  });
  faultPoint('export.piece');
  return isWritten && !isLast ? 'going' : 'over';
}

async function recordEnd(
  { exports, audit }: RecordStores,
  taken: RunExport,
  { now, ...how }: { state: 'DONE' | 'FAILED'; errorMessage?: string; now: Date },
): Promise<void> {
  const { at, expiresAt } = endedExport(now);
  const ended = await exports.end(taken.id, { ...how, epoch: taken.epoch, at, expiresAt: how.state === 'DONE' ? expiresAt : null });
  if (!ended) return;
  if (how.state === 'FAILED') await exports.dropParts(taken.id);
  await audit.record({
    type: 'export.ended',
    target: { kind: 'export', id: taken.id, name: taken.fileName },
    ...(taken.runId && { runId: taken.runId }),
    details: { state: how.state, runs: ended.runCount, bytes: ended.byteCount, ...(how.errorMessage && { reason: how.errorMessage }) },
  });
}
