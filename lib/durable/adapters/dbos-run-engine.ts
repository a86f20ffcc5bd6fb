import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { DBOS, DBOSClient } from '@dbos-inc/dbos-sdk';
import { currentOwnerXid } from '@dbos-inc/dbos-sdk/internal/context';
import { DBOSExecutor } from '@dbos-inc/dbos-sdk/internal/dbos-executor';
import { buildEnqueueStatus, type EnqueueWorkflowOptions } from '@dbos-inc/dbos-sdk/internal/enqueue_options';
import { wfQueueRunner } from '@dbos-inc/dbos-sdk/internal/wfqueue';
import type { ClientBase } from 'pg';
import { AppError, fromUuid, toUuid } from '#lib/kernel/index.ts';
import type { Claim, Drive, EngineTransaction, Line, Reservation, RunEngine, Segment, SegmentStatus } from '../ports.ts';
import { createActivePlaces } from './active-places.ts';
import { createPlaceReservations } from './place-reservations.ts';
import { createPreparedPool } from './prepared-pool.ts';
import { type ClaimedSegment, createSegmentQueue, type SegmentLine } from './segment-queue.ts';
import { createSegmentWaker } from './segment-waker.ts';
import { sharedForAWhile } from './shared-for-a-while.ts';
import { startTakeover, type Takeover } from './takeover.ts';

/** Channel on which a process that takes runs in, and drives none, tells those that do. */
export const WAKE_CHANNEL = 'bailiwick_wake';
const QUEUE = 'runs';
const WORKFLOW = 'segment';
/** Constant: a segment reads its own records, so any version of the code may finish it. */
export const APPLICATION_VERSION = '1';
export const APPLICATION_NAME = 'bailiwick';
const QUEUE_OF_SEGMENTS = { queue: QUEUE, applicationVersion: APPLICATION_VERSION };
/** How often the queue is looked at where nothing gives reason to; submits do not wait for it. */
const LOOK_MS = 1_000;
/** The engine's own poll takes sessions in an order of its own: it is there for the case that nothing else is. */
const POLL_MS = 30_000;
/** How long what was read of the line is told to all who ask. */
const LINE_LASTS_MS = 1_000;
/** How often a lost database is waited for, from half a second on and each time twice as long. */
const DRIVE_ATTEMPTS = 6;
const FIRST_PAUSE_MS = 500;

/** A workflow as the engine begins it. */
type Workflow = Parameters<DBOSExecutor['executeDequeuedWorkflow']>[0];

/** The part of the SDK's queue runner that no public API reaches; `package.json` pins the version it was read from. */
const queueRunner = wfQueueRunner as unknown as {
  readonly states: ReadonlyMap<string, { readonly queue: { readonly workerConcurrency?: number } }>;
};

interface Options {
  readonly databaseUrl: string;
  /** Segments that may run at once over all processes. */
  readonly maxActiveSegments: number;
  readonly takeoverTickMs: number;
  /** False in processes that only serve requests. */
  readonly claims: boolean;
  readonly log: { info(context: object, message: string): void; warn(context: object, message: string): void };
}

/** The port over DBOS Transact, on the same database as role `bailiwick_engine`. */
export async function createDbosRunEngine(options: Options): Promise<RunEngine> {
  const systemDatabaseUrl = asEngineRole(options.databaseUrl);
  // Unique per boot: a living process must never be taken for the dead one whose runs it should carry on.
  const executorId = `exec-${randomUUID()}`;
  const openPool = (max: number) =>
    createPreparedPool({
      databaseUrl: systemDatabaseUrl,
      applicationName: `${APPLICATION_NAME}_${executorId}`,
      max,
      onError: (error) => options.log.warn({ error: String(error) }, 'a connection of the engine was lost; it opens another'),
    });
  const clientPool = openPool(2);
  const pools = [clientPool];
  const client = await DBOSClient.create({ systemDatabaseUrl, applicationName: APPLICATION_NAME, systemDatabasePool: clientPool });
  let takeover: Takeover | null = null;
  let isStarted = false;
  let looking: NodeJS.Timeout | undefined;
  const segments = createSegmentQueue({ ...options, ...QUEUE_OF_SEGMENTS, executorId });
  const claiming = options.claims ? segments : null;
  const waker =
    claiming &&
    createSegmentWaker({
      segments: claiming,
      isStarted: () => isStarted,
      budget,
      dispatch: async ({ segments: claimed, token }) => {
        // Too many attempts, say: the engine has then noted why, and the others begin.
        for (const segment of claimed) await begin(toWorkflow(segment, executorId), token).catch(() => undefined);
      },
      onError: (error) => options.log.warn({ error: String(error) }, 'looking at the queue failed; trying again'),
    });
  /** The engine's poll and our claim may take as much as is free each: what is too much waits here. */
  const atWork = createActivePlaces(placesHere);
  const readLine = sharedForAWhile(LINE_LASTS_MS, async () => toLine(await segments.readLine(), options.maxActiveSegments));
  const places =
    waker &&
    createPlaceReservations<Workflow>({
      mayBegin: () => isStarted && !waker.isBehind() && budget() > 0,
      begin,
      doubt: (token) => segments.doubt(token),
    });

  async function begin(workflow: Workflow, token: string): Promise<void> {
    try {
      await executor().executeDequeuedWorkflow(workflow, token);
    } catch (error) {
      options.log.warn({ segment: workflow.workflowUUID, error: String(error) }, 'a segment could not be begun');
      throw error;
    }
  }

  /** As the engine starts a workflow that was called, and not enqueued: the row is born with its owner. */
  async function enqueueBegun(transaction: EngineTransaction, options: EnqueueWorkflowOptions, input: string, reserved: Reservation) {
    const enqueued = await buildEnqueueStatus(options, executor().serializer, [input]);
    const workflow = { ...enqueued, status: 'PENDING', executorId, applicationVersion: APPLICATION_VERSION };
    places?.keep(reserved, { ...workflow, recoveryAttempts: 1 });
    // Its id is new: what the engine asks to have back is what it has just given.
    const row = {
      status: workflow.status,
      name: WORKFLOW,
      queue_name: QUEUE,
      creator_xid: reserved.token,
      serialization: workflow.serialization,
    };
    const sending = {
      async query(text: string, values: unknown[]) {
        transaction.send(text, values);
        return { rows: [{ ...row }], rowCount: 1 };
      },
    };
    await executor().systemDatabase.initWorkflowStatus(workflow, reserved.token, asClient(sending));
  }

  /** Segments that may begin here now, besides those that hold a place. Before the runner knows the queue, none: its own poll is near. */
  function budget(): number {
    return placesHere() - executor().systemDatabase.countRunningWorkflowsForQueue(QUEUE) - (places?.count() ?? 0);
  }

  return {
    async enqueue(transaction, segment, { place = 0, reserved } = {}) {
      const enqueued = {
        workflowName: WORKFLOW,
        queueName: QUEUE,
        workflowID: workflowId(segment),
        queuePartitionKey: segment.sessionId,
        authenticatedUser: segment.tenantId,
        // The engine's own order is that in which transactions began: not the one in which they got the session's lock.
        priority: place,
        applicationName: APPLICATION_NAME,
      };
      if (reserved) return enqueueBegun(transaction, enqueued, encode(segment), reserved);
      await client.enqueueInTransaction(asClient(transaction), enqueued, encode(segment));
      // This process does not drive runs: those that do are told with the commit.
      if (!options.claims) await transaction.query('select pg_notify($1, $2)', [WAKE_CHANNEL, '']);
    },

    reserve: () => places?.reserve() ?? null,

    wake: () => waker?.wake(),

    readLine,

    cancel: (segment) => client.cancelWorkflow(workflowId(segment)),

    async forget(runs) {
      const ids = runs.flatMap(({ id, segments }) => Array.from({ length: segments }, (_, at) => workflowIdOf(id, at + 1)));
      if (ids.length > 0) await client.deleteWorkflows(ids);
    },

    async statusOf(segments) {
      const found = await client.listWorkflows({ workflowIDs: segments.map(workflowId) });
      const byId = new Map(found.map((workflow) => [workflow.workflowID, toStatus(workflow.status)]));
      return new Map(segments.map((segment) => [segment, byId.get(workflowId(segment)) ?? 'unknown']));
    },

    async start(drive) {
      if (!options.claims) {
        isStarted = true;
        return;
      }
      registerSegmentWorkflow(async (segment, claim) => {
        const place = await atWork.enter();
        try {
          await driveUntilReached(drive, segment, claim, options.log);
        } finally {
          place[Symbol.dispose]();
          waker?.noteEnd({ key: claim.segmentKey, sessionId: segment.sessionId });
        }
      });
      const pool = openPool(8);
      pools.push(pool);
      DBOS.setConfig({
        name: APPLICATION_NAME,
        systemDatabaseUrl,
        systemDatabasePool: pool,
        applicationVersion: APPLICATION_VERSION,
        executorID: executorId,
        logLevel: 'warn',
        runAdminServer: false,
      });
      await DBOS.launch();
      const queue = await DBOS.registerQueue(QUEUE, {
        partitionConcurrency: 1,
        workerConcurrency: options.maxActiveSegments,
        minPollingIntervalMs: POLL_MS,
        onConflict: 'always_update',
      });
      takeover = await startTakeover({
        databaseUrl: options.databaseUrl,
        executorId,
        applicationVersion: APPLICATION_VERSION,
        tickMs: options.takeoverTickMs,
        recover: async (deadExecutorId) => {
          const handles = await executor().recoverPendingWorkflows([deadExecutorId]);
          if (handles.length > 0)
            options.log.warn({ executorId: deadExecutorId, segments: handles.length }, 'took over the segments of a dead process');
        },
        onLiveCount: async (live) => {
          await queue.setWorkerConcurrency(Math.max(1, Math.ceil(options.maxActiveSegments / live)));
          atWork.look();
          options.log.info({ live }, 'processes that drive runs');
        },
        onError: (error) => options.log.warn({ error: String(error) }, 'looking for dead processes failed; trying again'),
      });
      await untilQueueIsKnown();
      isStarted = true;
      looking = setInterval(() => waker?.wake(), LOOK_MS);
    },

    async stop(drainMs) {
      isStarted = false;
      clearInterval(looking);
      await takeover?.stop();
      if (options.claims) await DBOS.shutdown({ workflowCompletionTimeoutMS: drainMs });
      await segments.close();
      await client.destroy();
      await Promise.all(pools.map((pool) => pool.end()));
    },

    isReady: () => isStarted,
    activeCount: () => atWork.count(),
  };
}

/** The engine asks no more of a client than `query` where it writes in another's transaction; its types ask for a whole one. */
function asClient(transaction: { query(text: string, values: unknown[]): Promise<unknown> }): ClientBase {
  return transaction as unknown as ClientBase;
}

/** This process's share of the places; 0 before the runner knows the queue. */
function placesHere(): number {
  return queueRunner.states.get(QUEUE)?.queue.workerConcurrency ?? 0;
}

/** The runner learns of a queue at its next look into the database; until then a wake would find nothing to poll. */
async function untilQueueIsKnown(): Promise<void> {
  for (let tries = 0; tries < 100 && !queueRunner.states.has(QUEUE); tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function executor(): DBOSExecutor {
  const instance = DBOSExecutor.globalInstance;
  // A request that was under way when the process was told to end: another process takes it in, or this one when it is back.
  if (!instance) throw new AppError({ code: 'unavailable', message: 'This process is going down. Try again in a moment.' });
  return instance;
}

/**
 * The workflow has no steps. A step would keep a result that nothing reads (`drive` asks the run's own records what is
 * missing) at the price of seven round trips and a commit a segment.
 */
function registerSegmentWorkflow(drive: (segment: Segment, claim: Claim) => Promise<void>): void {
  DBOS.registerWorkflow(
    async (encoded: string) => {
      const segmentKey = DBOS.workflowID ?? '';
      await drive(decode(encoded), { segmentKey, token: currentOwnerXid(segmentKey) ?? '' });
    },
    { name: WORKFLOW, maxRecoveryAttempts: 20 },
  );
}

/** A lost database is waited out; everything a run can do wrong is an outcome that `drive` records itself. */
async function driveUntilReached(drive: Drive, segment: Segment, claim: Claim, log: Options['log']): Promise<void> {
  const cancellation = executor().systemDatabase.watchForCancellation(claim.segmentKey);
  try {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await drive(segment, cancellation.signal, claim);
      } catch (error) {
        if (attempt === DRIVE_ATTEMPTS || cancellation.signal.aborted) throw error;
        log.warn({ runId: segment.runId, attempt, error: String(error) }, 'a segment is driven again');
        await sleep(FIRST_PAUSE_MS * 2 ** (attempt - 1));
      }
    }
  } finally {
    cancellation.release();
  }
}

/** What the engine would read again of a segment that was just claimed. */
function toWorkflow(segment: ClaimedSegment, executorId: string): Workflow {
  return {
    workflowUUID: segment.key,
    status: 'PENDING',
    workflowName: segment.workflow,
    workflowClassName: '',
    workflowConfigName: '',
    queueName: QUEUE,
    queuePartitionKey: segment.sessionId,
    input: segment.input,
    serialization: segment.serialization,
    priority: segment.priority,
    recoveryAttempts: segment.attempts,
    executorId,
    applicationVersion: APPLICATION_VERSION,
    applicationName: APPLICATION_NAME,
    applicationID: '',
    authenticatedUser: '',
    assumedRole: '',
    authenticatedRoles: [],
    output: null,
    error: null,
  };
}

function toLine({ active, waiting }: SegmentLine, limit: number): Line {
  return {
    limit,
    active,
    waiting: waiting.map(({ key, tenantId, sinceMs }) => ({
      runId: key.slice(0, key.lastIndexOf(':')) as Segment['runId'],
      tenantId: tenantId as Segment['tenantId'],
      since: new Date(sinceMs),
    })),
  };
}

function workflowId(segment: Segment): string {
  return workflowIdOf(segment.runId, segment.number);
}

function workflowIdOf(runId: Segment['runId'], number: number): string {
  return `${runId}:${number}`;
}

function encode({ tenantId, sessionId, runId, number }: Segment): string {
  return [toUuid(tenantId), toUuid(sessionId), toUuid(runId), number].join(' ');
}

function decode(encoded: string): Segment {
  const [tenantId = '', sessionId = '', runId = '', number = '1'] = encoded.split(' ');
  return {
    tenantId: fromUuid('tenant', tenantId),
    sessionId: fromUuid('session', sessionId),
    runId: fromUuid('run', runId),
    number: Number(number),
  };
}

function toStatus(status: string): SegmentStatus {
  if (status === 'SUCCESS') return 'succeeded';
  if (status === 'ERROR') return 'failed';
  if (status === 'CANCELLED') return 'cancelled';
  if (status === 'MAX_RECOVERY_ATTEMPTS_EXCEEDED') return 'recovered-too-often';
  return 'active';
}

/**
 * The same database, acting as the engine's role from the first statement. A process that is stopped in the middle of a
 * transaction must not keep the queue's rows from the others.
 */
export function asEngineRole(databaseUrl: string): string {
  const url = new URL(databaseUrl);
  url.searchParams.set('options', '-c role=bailiwick_engine -c idle_in_transaction_session_timeout=10s');
  return url.href;
}
