import type { RunEngine } from '#lib/durable/index.ts';
import { AppError, type Id } from '#lib/kernel/index.ts';
import { type Actor, hasPermission } from '#lib/tenancy/index.ts';
import type { RunView } from './contract.ts';
import { isTerminal, type RunState } from './domain/run.ts';
import type { RunGate, RunReader } from './ports.ts';
import { afterRun, stopTasks, type TaskDependencies } from './run-tasks.ts';
import { stopRun } from './stop-run.ts';
import { type SubmitDependencies, type SubmitResult, submitMessage } from './submit-message.ts';

export interface ControlDependencies extends SubmitDependencies, TaskDependencies {
  readonly gate: RunGate;
  readonly reader: RunReader;
  readonly engine: RunEngine;
}

/** One's own run, or with `run:audit` anybody's. Throws `not_found` as for a random id. */
export async function getRun({ reader }: Pick<ControlDependencies, 'reader'>, actor: Actor, runId: Id<'run'>): Promise<RunView> {
  const run = await reader.get(actor.scope, runId, { ownOnly: !hasPermission(actor, 'run:audit') });
  if (!run) throw new AppError({ code: 'not_found', message: 'There is no such run.' });
  return run;
}

/**
 * Asks for a stop: no step starts after this has returned, and tasks that it has handed on stop with it. A second stop is harmless. Only the person whose run it is may
 * stop it; for others it is not there.
 */
export async function cancelRun(dependencies: ControlDependencies, actor: Actor, runId: Id<'run'>): Promise<{ state: RunState }> {
  const seen = await getOwnRun(dependencies, actor, runId);
  const run = await stopRun(dependencies, actor.scope, seen, actor.scope.userId);
  if (!run) throw new AppError({ code: 'not_found', message: 'There is no such run.' });
  // Its driver, where it has one, does so too; tasks need not wait for that.
  if (isTerminal(run.state)) await afterRun(dependencies, run, { hasTasks: true });
  else await stopTasks(dependencies, run);
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
