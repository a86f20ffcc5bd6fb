import { AppError, type Id } from '#lib/kernel/index.ts';
import {
  getRun,
  type InvocationView,
  type ReadingTurns,
  type RunEventType,
  type RunEventView,
  type RunFacets,
  type RunListQuery,
  type RunPage,
  type SupervisorResult,
  tailRun,
  toSupervisorResult,
} from '#lib/supervisor/index.ts';
import { type Actor, auditedAs, hasPermission } from '#lib/tenancy/index.ts';
import type { RunTrace, ViewedRun } from './contract.ts';
import { headOf, redactEvent, redactInvocation, redactRun, redactSummary } from './domain/redact-run.ts';
import { decideViewing, isRedactedAt, READING_LASTS_MS, type Viewing } from './domain/viewing.ts';
import type { ViewDependencies } from './ports.ts';

/**
 * The one point through which runs are read by people and programs: pages, API, streams and exports all come here, so that
 * who sees what, what is hidden from them, and that they looked, is decided and recorded once.
 */

/** What shaped a run, apart from the pieces of its texts and what single calls were given and gave. */
const SHAPING: readonly RunEventType[] = [
  'SUPERVISOR_RUN_START',
  'run-state',
  'path-chosen',
  'AgentPlanProposed',
  'question-asked',
  'question-answered',
  'approval-requested',
  'approval-decided',
  'STREAM_START',
  'context-assembled',
  'model-call',
  'budget-soft-limit',
  'budget-refused',
  'conversation-compacted',
  'tasks-started',
  'handoff',
  'handoff-answered',
  'ModelResponseProduced',
  'RUN_FINISH',
  'RUN_TIMEOUT',
  'RUN_ERROR',
  'RUN_CANCELLED',
];
const SHAPING_LIMIT = 5_000;

/** Runs the actor may see, newest first. Their own in plain; of others, message heads without what is personal. */
export async function listRuns({ reader }: ViewDependencies, actor: Actor, query: RunListQuery): Promise<RunPage> {
  const page = await reader.list(actor.scope, query, { ownOnly: !hasPermission(actor, 'run:audit') });
  return {
    ...page,
    items: page.items.map((run) =>
      run.actor.userId === actor.scope.userId ? { ...run, promptHead: headOf(run.promptHead) } : redactSummary(run),
    ),
  };
}

/** How many runs each further choice would leave, of those the actor may see. */
export function countRuns({ reader }: ViewDependencies, actor: Actor, query: RunListQuery): Promise<RunFacets> {
  return reader.facets(actor.scope, query, { ownOnly: !hasPermission(actor, 'run:audit') });
}

/** One's own run, or with `run:audit` anybody's. Throws `not_found` as for a random id. Reading another's is recorded. */
export async function viewRun(deps: ViewDependencies, actor: Actor, runId: Id<'run'>): Promise<ViewedRun> {
  const viewing = await openRun(deps, actor, runId);
  return { ...show(deps, viewing, await getRun(deps, actor, runId), redactRun), ...described(viewing) };
}

/** What a run has come to. As `viewRun`. */
export async function viewResult(deps: ViewDependencies, actor: Actor, runId: Id<'run'>): Promise<SupervisorResult> {
  const found = await deps.reader.findOutcome(actor.scope, runId);
  // Each turn of one's own ends with this: it needs no more than was just read.
  if (found?.ownerId === actor.scope.userId) return toSupervisorResult(found.outcome);
  return toSupervisorResult(await viewRun(deps, actor, runId));
}

/** What the pictures of a run are drawn from. As `viewRun`. */
export async function viewTrace(deps: ViewDependencies, actor: Actor, runId: Id<'run'>): Promise<RunTrace> {
  const viewing = await openRun(deps, actor, runId);
  const [run, { items }, sessionMoves] = await Promise.all([
    deps.reader.get(actor.scope, runId, { ownOnly: false, withoutPayloads: true }),
    deps.reader.events(actor.scope, runId, 0, SHAPING_LIMIT, SHAPING),
    deps.reader.sessionMoves(actor.scope, runId),
  ]);
  if (!run) throw noSuchRun();
  const shown = show(deps, viewing, run, redactRun);
  return {
    run: {
      ...shown,
      invocations: shown.invocations.map(({ arguments: _given, output: _output, ...head }) => head),
      ...described(viewing),
    },
    events: items.map((event) => show(deps, viewing, event, redactEvent)),
    sessionMoves,
    isCut: items.length === SHAPING_LIMIT,
  };
}

/** One call of a run, with what it was given and what it gave. As `viewRun`. */
export async function viewInvocation(
  deps: ViewDependencies,
  actor: Actor,
  { runId, invocationId }: { runId: Id<'run'>; invocationId: Id<'invocation'> },
): Promise<InvocationView> {
  const viewing = await openRun(deps, actor, runId);
  const invocation = await deps.reader.findInvocation(actor.scope, runId, invocationId);
  if (!invocation) throw new AppError({ code: 'not_found', message: 'There is no such call in this run.' });
  return show(deps, viewing, invocation, redactInvocation);
}

/** A page of a run's log after `after`. As `viewRun`. */
export async function viewRunEvents(
  deps: ViewDependencies,
  actor: Actor,
  { runId, after, limit }: { runId: Id<'run'>; after: number; limit: number },
): Promise<{ items: RunEventView[]; lastSeq: number }> {
  const viewing = await openRun(deps, actor, runId);
  const { items, lastSeq } = await deps.reader.events(actor.scope, runId, after, limit);
  return { items: items.map((event) => show(deps, viewing, event, redactEvent)), lastSeq };
}

/**
 * A run's log as it is written. As `viewRun`; what is revealed is redacted again from the moment the reveal ends.
 *
 * @param run.isJustSubmitted whether the actor has submitted it in this request: whose it is need not be asked then
 */
export async function* followRun(
  deps: ViewDependencies,
  actor: Actor,
  run: { runId: Id<'run'>; after: number; signal: AbortSignal; turns?: ReadingTurns; isJustSubmitted?: boolean },
): AsyncGenerator<RunEventView[], void, undefined> {
  const viewing: Viewing = run.isJustSubmitted ? { kind: 'own' } : await openRun(deps, actor, run.runId);
  for await (const batch of tailRun(deps, { scope: actor.scope, ...run })) {
    yield batch.map((event) => show(deps, viewing, event, redactEvent));
  }
}

/** How the actor sees the run; throws `not_found` when they do not. Another's run that is opened is on the record. */
export async function openRun({ reader, unitOfWork, clock }: ViewDependencies, actor: Actor, runId: Id<'run'>): Promise<Viewing> {
  const given = {
    ownerId: await reader.findOwner(actor.scope, runId),
    viewerId: actor.scope.userId,
    mayAudit: hasPermission(actor, 'run:audit'),
    mayReveal: hasPermission(actor, 'run:reveal'),
    now: clock.now(),
  };
  const bare = decideViewing({ ...given, revealedUntil: null });
  if (!bare) throw noSuchRun();
  if (bare.kind === 'own') return bare;
  return unitOfWork.within(actor.scope, async ({ reveals, audit, auditReader }) => {
    const reader = auditedAs(actor);
    const since = new Date(given.now.getTime() - READING_LASTS_MS);
    const isKnown = await auditReader.isRecorded({ type: 'run.read', runId, actorId: reader.id, since });
    if (!isKnown) await audit.record({ type: 'run.read', target: { kind: 'run', id: runId }, runId, actor: reader });
    const revealedUntil = await reveals.findEnd(runId, actor.scope.userId);
    return decideViewing({ ...given, revealedUntil }) ?? bare;
  });
}

function show<Shown>({ clock }: ViewDependencies, viewing: Viewing, shown: Shown, redact: (shown: Shown) => Shown): Shown {
  return isRedactedAt(viewing, clock.now()) ? redact(shown) : shown;
}

function described(viewing: Viewing): Pick<ViewedRun, 'viewing' | 'revealedUntil'> {
  return { viewing: viewing.kind, revealedUntil: viewing.kind === 'revealed' ? viewing.until.toISOString() : null };
}

function noSuchRun(): AppError {
  return new AppError({ code: 'not_found', message: 'There is no such run.' });
}
