import { type Id, isAppError, messageOf } from '#lib/kernel/index.ts';
import type { RunEventView, RunView } from '#lib/supervisor/index.ts';
import { type Actor, hasPermission, requirePermission } from '#lib/tenancy/index.ts';
import { BYTE_ORDER_MARK, shapeOfLog, shapeOfRuns } from './domain/export-rows.ts';
import { redactEvent, redactRun } from './domain/redact-run.ts';
import { decideViewing } from './domain/viewing.ts';
import { endedExport } from './manage-exports.ts';
import type { ExportDependencies, ExportPiece, RunExport } from './ports.ts';

/** A writer that has not been heard of for so long is taken for dead, and another carries its export on. */
export const LEASE_MS = 20_000;
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
  const taken = await unitOfWork.within({ tenantId }, ({ exports }) => exports.take(exportId, clock.now(), LEASE_MS));
  if (!taken) return;
  const scope = { tenantId, userId: taken.userId };
  try {
    const actor = await deps.actorOf(scope);
    requirePermission(actor, 'audit:export');
    const writing = { deps, taken, actor };
    const isWhole = taken.runId ? await writeRun(writing, taken.runId) : await writeSet(writing);
    if (isWhole) await end(deps, taken, { state: 'DONE' });
  } catch (error) {
    if (!isAppError(error) || error.code === 'unavailable' || error.code === 'internal') throw error;
    await end(deps, taken, { state: 'FAILED', errorMessage: messageOf(error) });
  }
}

/** False when it was stopped on the way. */
async function writeSet({ deps, taken, actor }: Writing): Promise<boolean> {
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
    if (!(await append(deps, taken, { body, lastRunId, runCount, totalCount: Math.max(totalCount, runCount) }))) return false;
    if (isLast) return true;
    isHeadDue = false;
  }
}

/** A run's log begins anew when another process takes it on: it is short beside a set. */
async function writeRun({ deps, taken, actor }: Writing, runId: Id<'run'>): Promise<boolean> {
  const isPlain = await mayBePlain(deps, taken, actor, runId);
  const [run] = await readRuns(deps, actor, [runId]);
  if (!run) return false;
  if (taken.partCount > 0) await deps.unitOfWork.within(actor.scope, ({ exports }) => exports.dropParts(taken.id));
  const shape = shapeOfLog(taken.format, isPlain ? run : redactRun(run));
  let after = 0;
  for (;;) {
    const { items } = await deps.reader.events(actor.scope, runId, after, EVENTS_PER_PIECE);
    const isLast = items.length < EVENTS_PER_PIECE;
    const shown: readonly RunEventView[] = isPlain ? items : items.map(redactEvent);
    const body = `${after === 0 ? headOf(taken, shape.head) : ''}${shape.piece(shown, after === 0)}${isLast ? shape.tail : ''}`;
    if (!(await append(deps, taken, { body, lastRunId: null, runCount: isLast ? 1 : 0, totalCount: 1 }))) return false;
    if (isLast) return true;
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
    revealedUntil: await unitOfWork.within(actor.scope, ({ reveals }) => reveals.findEnd(runId, actor.scope.userId, now)),
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

function append({ unitOfWork, clock }: ExportDependencies, taken: RunExport, piece: ExportPiece): Promise<boolean> {
  const leasedUntil = new Date(clock.now().getTime() + LEASE_MS);
  return unitOfWork.within({ tenantId: taken.tenantId }, ({ exports }) => exports.append(taken, piece, leasedUntil));
}

async function end(
  { unitOfWork, clock }: ExportDependencies,
  taken: RunExport,
  how: { state: 'DONE' | 'FAILED'; errorMessage?: string },
): Promise<void> {
  const { at, expiresAt } = endedExport(clock.now());
  await unitOfWork.within({ tenantId: taken.tenantId }, async ({ exports, audit }) => {
    const ended = await exports.end(taken.id, { ...how, epoch: taken.epoch, at, expiresAt: how.state === 'DONE' ? expiresAt : null });
    if (!ended) return;
    if (how.state === 'FAILED') await exports.dropParts(taken.id);
    await audit.record({
      type: 'export.ended',
      target: { kind: 'export', id: taken.id, name: taken.fileName },
      ...(taken.runId && { runId: taken.runId }),
      details: { state: how.state, runs: ended.runCount, bytes: ended.byteCount, ...(how.errorMessage && { reason: how.errorMessage }) },
    });
  });
}
