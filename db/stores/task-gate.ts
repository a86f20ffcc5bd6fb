import type { Row, Sql } from 'postgres';
import { checkpointThreadId, moveSession } from '#lib/conversations/index.ts';
import { AppError, type Clock, fromUuid, type Id, newId, storableText, toUuid } from '#lib/kernel/index.ts';
import { isTerminal, type Run, type RunObserver, type Task, type TaskGate } from '#lib/supervisor/index.ts';
import { toEngineTransaction } from '../engine-transaction.ts';
import { inOneRoundTrip } from '../pipelined.ts';
import { insertRun } from './insert-run.ts';
import type { RunEventBus } from './run-event-bus.ts';
import { type Connection, enterTenant, hasOpenTask, lockRun, RunWrites } from './run-lock.ts';
import { toRun } from './run-rows.ts';

/** Tasks that a run may hand on in all. */
const TASKS_A_RUN = 32;
/** Of a task, as the name of its session. */
const TITLE = 60;

/** Tasks that runs hand on: started once, each as a run in a session of its own, and waited for. */
export function createTaskGate({
  sql,
  clock,
  bus,
  observer,
}: {
  sql: Sql;
  clock: Clock;
  bus: RunEventBus;
  observer?: RunObserver | undefined;
}): TaskGate {
  return {
    async start(scope, { runId, invocationId, texts, preset }, enqueue) {
      const writes = new RunWrites({ clock, observer });
      const { tasks, isNew } = await sql.begin(async (tx) => {
        await enterTenant(tx, scope);
        const run = await lockRun(tx, scope, runId);
        // Held: of a stop and a start at the same moment one is here, and the other finds it done.
        if (run?.state !== 'RUNNING' || run.cancelRequestedAt)
          throw new AppError({ code: 'conflict', message: 'Tasks are handed on by a run that is at work; this one is not.' });
        const started = await listTasks(tx, run, invocationId);
        if (started.length > 0) return { tasks: started, isNew: false };
        await requireRoom(tx, run, texts.length);
        for (const [index, text] of texts.entries()) {
          const task = await startTask(tx, { run, invocationId, index, text, preset }, clock);
          await enqueue(toEngineTransaction(tx), task);
        }
        const all = await listTasks(tx, run, invocationId);
        const handed = all.map(({ runId: id, sessionId, text }) => ({ runId: id, sessionId, text }));
        await writes.write(tx, run, { events: [{ type: 'tasks-started', at: clock.now(), payload: { invocationId, tasks: handed } }] });
        return { tasks: all, isNew: true };
      });
      writes.tell();
      if (isNew) bus.tell(runId, null);
      return tasks;
    },

    async goOn(scope, runId, enqueue) {
      const writes = new RunWrites({ clock, observer });
      const isMoved = await sql.begin(async (tx) => {
        await enterTenant(tx, scope);
        const run = await lockRun(tx, scope, runId);
        if (run?.state !== 'WAITING' || (await hasOpenTask(tx, run)) || (await waitsForPeople(tx, run))) return false;
        await tx`update run set segment = segment + 1 where tenant_id = ${toUuid(run.tenantId)} and id = ${toUuid(run.id)}`;
        const reason = 'its tasks have ended';
        await writes.write(tx, run, {
          run: { state: 'QUEUED' },
          events: [{ type: 'run-state', at: clock.now(), payload: { from: 'WAITING', to: 'QUEUED', reason } }],
          // Of one that has waited for a person too; one that waited for tasks alone has not moved.
          session: { events: [moveSession('WAITING_USER', 'EXECUTING', reason)] },
        });
        await enqueue(toEngineTransaction(tx), { runId: run.id, sessionId: run.sessionId, segment: run.segment + 1 });
        return true;
      });
      writes.tell();
      if (isMoved) bus.tell(runId, null);
      return isMoved;
    },

    async listOpen(scope, runId) {
      const [rows] = await inOneRoundTrip(sql, scope, (tx) => [
        tx`
          select id from run
          where tenant_id = ${toUuid(scope.tenantId)} and parent_run_id = ${toUuid(runId)} and state in ('QUEUED', 'RUNNING', 'WAITING')
            and cancel_requested_at is null
          order by id`,
      ]);
      return rows.map(({ id }) => fromUuid('run', String(id)));
    },

    async listQueued(scope, sessionId) {
      const [rows] = await inOneRoundTrip(sql, scope, (tx) => [
        tx`select * from run where tenant_id = ${toUuid(scope.tenantId)} and session_id = ${toUuid(sessionId)} and state = 'QUEUED' order by id`,
      ]);
      return rows.map(toRun);
    },

    async requeue(scope, run, enqueue) {
      await sql.begin(async (tx) => {
        await enterTenant(tx, scope);
        const moved = await tx`
          update run set segment = segment + 1
          where tenant_id = ${toUuid(run.tenantId)} and id = ${toUuid(run.id)} and segment = ${run.segment} and state = 'QUEUED'
          returning segment`;
        if (moved[0])
          await enqueue(toEngineTransaction(tx), { runId: run.id, sessionId: run.sessionId, segment: Number(moved[0].segment) });
      });
    },
  };
}

/** How a task stands, from the row of its run. */
export function toTask(row: Row): Task {
  const { id, sessionId, input, state, answer, error } = toRun(row);
  return {
    runId: id,
    sessionId,
    invocationId: fromUuid('invocation', String(row.parent_invocation_id)),
    text: input,
    state,
    outcome: isTerminal(state) ? { state, answer: answer ?? '', error: error?.message ?? null } : null,
  };
}

async function listTasks(tx: Connection, run: Run, invocationId: Id<'invocation'>): Promise<Task[]> {
  const rows = await tx`
    select * from run
    where tenant_id = ${toUuid(run.tenantId)} and parent_run_id = ${toUuid(run.id)} and parent_invocation_id = ${toUuid(invocationId)}
    order by task_index`;
  return rows.map(toTask);
}

/** Without bounds a model could hand on for ever: tasks hand on nothing, and a run so many. */
async function requireRoom(tx: Connection, run: Run, more: number): Promise<void> {
  if (run.parentRunId !== null) throw new AppError({ code: 'limit_reached', message: 'A task hands on no tasks of its own.' });
  const [row] =
    await tx`select count(*)::int as n from run where tenant_id = ${toUuid(run.tenantId)} and parent_run_id = ${toUuid(run.id)}`;
  if (Number(row?.n) + more > TASKS_A_RUN)
    throw new AppError({ code: 'limit_reached', message: `A run hands on at most ${TASKS_A_RUN} tasks.` });
}

async function startTask(
  tx: Connection,
  { run, invocationId, index, text, preset }: { run: Run; invocationId: Id<'invocation'>; index: number; text: string; preset: string },
  clock: Clock,
): Promise<{ runId: Id<'run'>; sessionId: Id<'session'>; segment: number }> {
  const [runId, sessionId, messageId] = [newId('run'), newId('session'), newId('message')];
  const title = [...(text.split('\n', 1)[0] ?? '')].slice(0, TITLE).join('');
  await tx`
    insert into agent_session (tenant_id, id, user_id, preset, state, title, checkpoint_thread_id, is_task)
    values (${toUuid(run.tenantId)}, ${toUuid(sessionId)}, ${toUuid(run.userId)}, ${preset}, 'IDLE', ${storableText(title)}, ${checkpointThreadId(run.tenantId, sessionId)}, true)`;
  await insertRun(
    tx,
    {
      actor: {
        kind: run.apiKeyId ? 'api-key' : 'user',
        scope: { tenantId: run.tenantId, userId: run.userId },
        ...(run.apiKeyId && { apiKeyId: run.apiKeyId }),
      },
      runId,
      sessionId,
      messageId,
      text,
      parentId: null,
      locale: run.locale,
      timeZone: run.timeZone,
      timeLimitMs: run.timeLimitMs,
      idempotencyKey: null,
      requestHash: '',
      hasBegun: false,
      task: {
        parentRunId: run.id,
        parentInvocationId: invocationId,
        index,
        rootRunId: run.rootRunId,
        rootSessionId: run.rootSessionId,
      },
    },
    { preset },
    clock.now(),
  );
  return { runId, sessionId, segment: 1 };
}

async function waitsForPeople(tx: Connection, run: Run): Promise<boolean> {
  const open = await tx`
    select 1 from approval where tenant_id = ${toUuid(run.tenantId)} and run_id = ${toUuid(run.id)} and state = 'OPEN'
    union all
    select 1 from question where tenant_id = ${toUuid(run.tenantId)} and run_id = ${toUuid(run.id)} and state = 'OPEN'
    limit 1`;
  return open.length > 0;
}
