import type { CapabilityRegistry } from '#lib/capabilities/index.ts';
import type { RunEngine } from '#lib/durable/index.ts';
import { AppError, type Clock, type Id } from '#lib/kernel/index.ts';
import { type Actor, hasPermission } from '#lib/tenancy/index.ts';
import type { RunView } from './contract.ts';
import { AnswerText } from './domain/answer-text.ts';
import { endBoundary } from './domain/ending.ts';
import { isTerminal, type RunState } from './domain/run.ts';
import { describeStop } from './domain/stopped-work.ts';
import type { CancelFeed, RunGate, RunReader } from './ports.ts';
import { type SubmitDependencies, type SubmitResult, submitMessage } from './submit-message.ts';

export interface ControlDependencies extends SubmitDependencies {
  readonly gate: RunGate;
  readonly reader: RunReader;
  readonly engine: RunEngine;
  readonly cancels: CancelFeed;
  readonly registry: Pick<CapabilityRegistry, 'describe'>;
  readonly clock: Clock;
}

/** One's own run, or with `run:audit` anybody's. Throws `not_found` as for a random id. */
export async function getRun({ reader }: Pick<ControlDependencies, 'reader'>, actor: Actor, runId: Id<'run'>): Promise<RunView> {
  const run = await reader.get(actor.scope, runId, { ownOnly: !hasPermission(actor, 'run:audit') });
  if (!run) throw new AppError({ code: 'not_found', message: 'There is no such run.' });
  return run;
}

/**
 * Asks for a stop: no step starts after this has returned. A second stop is harmless. Only the person whose run it is may
 * stop it; for others it is not there.
 */
export async function cancelRun(dependencies: ControlDependencies, actor: Actor, runId: Id<'run'>): Promise<{ state: RunState }> {
  const { gate, cancels, clock, registry } = dependencies;
  const seen = await getOwnRun(dependencies, actor, runId);
  const changesSomething = (capabilityId: string) => registry.describe(actor.scope.tenantId, capabilityId)?.sideEffect !== 'read';
  const calls = seen.invocations.map((call) => ({ ...call, finishedAt: call.finishedAt === null ? null : new Date(call.finishedAt) }));
  const run = await gate.requestCancel(actor.scope, runId, actor.scope.userId, (stopped, shownText) =>
    endBoundary(stopped, {
      terminal: 'CANCELLED',
      text: new AnswerText(shownText).whole(),
      at: clock.now(),
      // Nothing drives a run that ends here: its calls stand as they were seen.
      stopped: { ...describeStop(calls, { stopAskedAt: stopped.cancelRequestedAt, changesSomething }), by: actor.scope.userId },
    }),
  );
  if (!run) throw new AppError({ code: 'not_found', message: 'There is no such run.' });
  // The engine is not told: for it the segment would have ended, and the session's next run would begin beside this one's end.
  if (run.state === 'RUNNING') cancels.tell(runId);
  return { state: run.state };
}

/** The same message again, as a branch beside the first. Throws `conflict` while the run is going on. */
export async function retryRun(dependencies: ControlDependencies, actor: Actor, runId: Id<'run'>): Promise<SubmitResult> {
  const run = await getOwnRun(dependencies, actor, runId);
  if (!isTerminal(run.state)) throw new AppError({ code: 'conflict', message: 'This run is going on. Stop it, or wait for its end.' });
  return submitMessage(dependencies, actor, {
    sessionId: run.sessionId as Id<'session'>,
    text: run.message,
    parentId: run.parentId as Id<'message'> | null,
  });
}

/** Answers what a run asks and lets it go on. Throws `already_decided` when somebody was faster. */
export async function answerQuestion(
  dependencies: ControlDependencies,
  actor: Actor,
  request: { runId: Id<'run'>; questionId: Id<'question'>; answer: string },
): Promise<void> {
  const { gate, engine } = dependencies;
  const run = await getOwnRun(dependencies, actor, request.runId);
  await gate.answer(actor.scope, { ...request, by: actor.scope.userId }, (transaction, { runId, segment }) =>
    engine.enqueue(transaction, { tenantId: actor.scope.tenantId, sessionId: run.sessionId as Id<'session'>, runId, number: segment }),
  );
  engine.wake();
}

async function getOwnRun({ reader }: Pick<ControlDependencies, 'reader'>, actor: Actor, runId: Id<'run'>): Promise<RunView> {
  const run = await reader.get(actor.scope, runId, { ownOnly: true });
  if (!run) throw new AppError({ code: 'not_found', message: 'There is no such run.' });
  return run;
}
