import type { HandedTask, TaskRunner } from '#lib/capabilities/index.ts';
import type { RunEngine, SegmentStatus } from '#lib/durable/index.ts';
import { faultPoint, type Id } from '#lib/kernel/index.ts';
import type { Run } from './domain/run.ts';
import type { EnqueueTask, LeftTaskReader, RunReader, TaskGate, TaskOwner } from './ports.ts';
import { type StopDependencies, stopRun } from './stop-run.ts';

export interface TaskDependencies extends StopDependencies {
  readonly taskGate: TaskGate;
  readonly reader: Pick<RunReader, 'get'>;
  readonly engine: Pick<RunEngine, 'enqueue' | 'wake' | 'statusOf'>;
}

/** A task is worked on as the general assistant would: what it may use is what its person may. */
const PRESET = 'default';

/** The tasks of a call, each as a run in a session of its own (requirement H-36). */
export function createTaskRunner({ taskGate, engine }: Pick<TaskDependencies, 'taskGate' | 'engine'>): TaskRunner {
  return {
    async handOn({ scope, runId, invocationId, tasks }) {
      const call = { runId, invocationId, texts: tasks, preset: PRESET };
      const handed = await taskGate.start(scope, call, enqueueFor(engine, scope.tenantId));
      faultPoint('tasks.started');
      engine.wake();
      return handed.map(({ text, ...task }): HandedTask => ({ ...task, task: text }));
    },
  };
}

/** To be called when a run has begun to wait, and when a task has ended: whichever comes last lets the run go on. */
export async function goOnAfterTasks({ taskGate, engine }: TaskDependencies, owner: Pick<Run, 'tenantId' | 'id'>): Promise<void> {
  if (await taskGate.goOn({ tenantId: owner.tenantId }, owner.id, enqueueFor(engine, owner.tenantId))) engine.wake();
}

/** What the end of a run means for others: whose task it was, whose tasks are its own, and who stands behind it in its session. */
export async function afterRun(dependencies: TaskDependencies, run: Run, { hasTasks }: { hasTasks: boolean }): Promise<void> {
  if (run.parentRunId !== null) faultPoint('task.ended');
  if (run.parentRunId !== null) await goOnAfterTasks(dependencies, { tenantId: run.tenantId, id: run.parentRunId });
  if (hasTasks) await stopTasks(dependencies, run);
  // It may have waited, and others with it.
  if (run.segment > 1) await releaseSession(dependencies, run);
}

/** Nobody waits for them any more. */
export async function stopTasks(dependencies: TaskDependencies, owner: TaskOwner): Promise<void> {
  const scope = { tenantId: owner.tenantId };
  for (const id of await dependencies.taskGate.listOpen(scope, owner.id)) {
    const seen = await dependencies.reader.get(scope, id, { ownOnly: false, withoutPayloads: true });
    if (seen) await stopRun(dependencies, scope, seen, owner.cancelRequestedBy ?? owner.userId);
  }
}

/** Finishes what a process that died has left between two writes. Safe in several processes at once. */
export async function reconcileTasks(dependencies: TaskDependencies & { readonly leftTasks: LeftTaskReader }): Promise<void> {
  const { leftTasks } = dependencies;
  for (const owner of await leftTasks.listWaitingForNothing(100)) await goOnAfterTasks(dependencies, owner);
  for (const owner of await leftTasks.listEndedWithTasks(100)) await stopTasks(dependencies, owner);
}

/** Runs of the session whose segment found that they had to wait: they have their turn now. */
async function releaseSession({ taskGate, engine }: TaskDependencies, { tenantId, sessionId }: Run): Promise<void> {
  const queued = await taskGate.listQueued({ tenantId }, sessionId);
  if (queued.length === 0) return;
  const segments = queued.map((run) => ({ tenantId, sessionId, runId: run.id, number: run.segment }));
  const statuses = await engine.statusOf(segments);
  for (const [index, run] of queued.entries()) {
    const segment = segments[index];
    if (segment && isOver(statuses.get(segment))) await taskGate.requeue({ tenantId }, run, enqueueFor(engine, tenantId));
  }
  engine.wake();
}

function isOver(status: SegmentStatus | undefined): boolean {
  return status === 'succeeded' || status === 'unknown';
}

function enqueueFor(engine: Pick<RunEngine, 'enqueue'>, tenantId: Id<'tenant'>): EnqueueTask {
  return (transaction, { runId, sessionId, segment }) => engine.enqueue(transaction, { tenantId, sessionId, runId, number: segment });
}
