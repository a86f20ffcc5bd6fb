import { jsonrepair } from 'jsonrepair';
import { type Database, openSql } from '#db/client.ts';
import { createOperatorStore, createPurgeStore } from '#db/operator-queries.ts';
import { createPlatformQueries } from '#db/platform-queries.ts';
import { createApprovalGate } from '#db/stores/approval-gate.ts';
import { createApprovalReader, createConsentRuleSource } from '#db/stores/approval-reader.ts';
import { createBudgetLedger } from '#db/stores/budget-ledger.ts';
import { createCancelFeed } from '#db/stores/cancel-feed.ts';
import type { TenantStores } from '#db/stores/index.ts';
import { createRightsFeed } from '#db/stores/rights-feed.ts';
import { createRunEventBus } from '#db/stores/run-event-bus.ts';
import { createRunGate } from '#db/stores/run-gate.ts';
import { createRunJournal } from '#db/stores/run-journal.ts';
import { createRunReader } from '#db/stores/run-reader.ts';
import { createTaskGate } from '#db/stores/task-gate.ts';
import { createTurnReader } from '#db/stores/turn-reader.ts';
import type { AuditLog } from '#lib/audit/index.ts';
import { createAjvArgumentValidator } from '#lib/capabilities/adapters/ajv-argument-validator.ts';
import { type CapabilityRegistry, callDirectly, createAgentsDelegate, createInvoker, type DirectCall } from '#lib/capabilities/index.ts';
import type { Config } from '#lib/config/index.ts';
import type { GraphSink, PresetEntry } from '#lib/conversations/index.ts';
import { createDbosRunEngine, WAKE_CHANNEL } from '#lib/durable/adapters/dbos-run-engine.ts';
import type { Clock, Id, UnitOfWork } from '#lib/kernel/index.ts';
import { createTokenCalibration, type ModelSource, type TokenCounters } from '#lib/models/index.ts';
import { HEARTBEAT_MS, type QuietOperationReader } from '#lib/plugins/index.ts';
import {
  type ActorSource,
  afterRun,
  answerQuestion,
  awaitResult,
  BegunRuns,
  cancelRun,
  createDrive,
  createMessageRoom,
  createTaskRunner,
  type DriveDependencies,
  decideApproval,
  expireApprovals,
  getRun,
  goOnAfterTasks,
  type OntologySource,
  type RunListQuery,
  readInbox,
  readQueuePlace,
  reconcileRuns,
  reconcileTasks,
  retryRun,
  submitMessage,
  tailRun,
} from '#lib/supervisor/index.ts';
import { log, metrics } from '#lib/telemetry/index.ts';
import { type Actor, hasPermission, listOperatedTenants, listOwnPurges, purgeTenants } from '#lib/tenancy/index.ts';
import { createMeasuredInvoker } from './measured-invoker.ts';
import { createRunObserver } from './run-observer.ts';
import { composeTraces } from './traces.ts';

const MAX_CALLS_PER_RUN = 100;
/** What has not reached the collector by then is not worth waiting for. */
const TRACES_DRAIN_MS = 2_000;
/** Three heartbeats: what has not moved for so long has lost its process. */
const OPERATION_QUIET_MS = 3 * HEARTBEAT_MS;

/** The run: its engine, its supervisor, and what requests may do with it. Nothing is claimed before `start`. */
export async function composeRuns(parts: {
  config: Config;
  clock: Clock;
  database: Database;
  unitOfWork: UnitOfWork<TenantStores>;
  actors: ActorSource;
  platformAudit: AuditLog;
  ontology: OntologySource;
  registry: CapabilityRegistry;
  plan: DriveDependencies['plan'];
  models: ModelSource;
  counters: TokenCounters;
  searchDocuments: DriveDependencies['searchDocuments'];
  bindPreset: DriveDependencies['bindPreset'];
  /** A mirror of what has ended; its failure only warns (requirement P-26). */
  graphSink?: GraphSink | undefined;
  /** Every preset there is; which are open, each tenant's plugins decide. */
  presets: readonly PresetEntry[];
  requirePreset: DriveDependencies['requirePreset'];
  /** Carries on what the marketplace has under way; absent where there is none. */
  reconcilePlugins?: (quiet: QuietOperationReader, quietMs: number) => Promise<void>;
}) {
  const { config, clock, database, registry } = parts;
  const { sql } = database;
  const platformSql = openSql({ databaseUrl: config.databaseUrl, role: 'bailiwick_platform', max: 3, name: 'platform' });
  const platform = createPlatformQueries(platformSql);
  const operatorStore = createOperatorStore(platformSql);
  const purges = createPurgeStore(platformSql);
  const bus = createRunEventBus(sql);
  const cancels = createCancelFeed(sql);
  const rights = createRightsFeed(sql);
  const reader = createRunReader(sql);
  const traces = composeTraces({ config, reader });
  const observer = createRunObserver({ onEnded: (write) => traces?.offer(write) });
  const journal = createRunJournal({ sql, clock, bus, observer });
  const gate = createRunGate({ sql, clock, bus, presets: parts.presets, observer });
  const approvalGate = createApprovalGate({ sql, clock, bus, observer });
  const approvals = createApprovalReader(sql);
  const validator = createAjvArgumentValidator();
  const engine = await createDbosRunEngine({
    databaseUrl: config.databaseUrl,
    maxActiveSegments: config.maxActiveSegments,
    takeoverTickMs: config.takeoverTickMs,
    claims: config.role !== 'web',
    log,
  });
  const invoker = createMeasuredInvoker(
    createInvoker({
      registry,
      validator,
      platformAudit: parts.platformAudit,
      clock,
      maxCallsPerRun: MAX_CALLS_PER_RUN,
    }),
  );
  const tasks = { taskGate: createTaskGate({ sql, clock, bus, observer }), gate, reader, engine, cancels, registry, clock };
  const taskRunner = createTaskRunner(tasks);
  registry.register(createAgentsDelegate({ tasks: taskRunner }));
  const begun = new BegunRuns();
  const calibration = createTokenCalibration();
  const drive = createDrive({
    journal,
    begun,
    actors: parts.actors,
    ontology: parts.ontology,
    bindPreset: parts.bindPreset,
    requirePreset: parts.requirePreset,
    registry,
    invoker,
    consentRules: createConsentRuleSource(sql),
    approvalWindowMs: config.approvalWindowMs,
    plan: parts.plan,
    models: parts.models,
    budgets: createBudgetLedger({ sql, clock }),
    readTurns: createTurnReader(sql),
    searchDocuments: parts.searchDocuments,
    counters: parts.counters,
    calibration,
    random: Math.random,
    repairJson: jsonrepair,
    cancels,
    goOnAfterTasks: (run) => goOnAfterTasks(tasks, run),
    clock,
    log,
    onEnded: (run, { terminal, at }, calls, hasTasks) => {
      // Whatever of it is lost with this process is found again.
      afterRun(tasks, run, { hasTasks }).catch((error: unknown) =>
        log.warn({ runId: run.id, err: error }, 'what waits for a run was not told'),
      );
      metrics.runs.inc({ terminal });
      metrics.runSeconds.observe({ terminal }, (at.getTime() - run.createdAt.getTime()) / 1000);
      parts.graphSink
        ?.record({
          tenantId: run.tenantId,
          sessionId: run.sessionId,
          runId: run.id,
          preset: run.preset,
          terminal,
          // Those that were called, whoever planned it.
          capabilityIds: [...new Set(calls.filter(({ attempt }) => attempt > 0).map(({ capabilityId }) => capabilityId))],
          endedAt: at,
        })
        .catch((error: unknown) => log.warn({ runId: run.id, err: error }, 'the graph could not be told of a run'));
    },
  });
  const requireRoom = createMessageRoom({
    ...parts,
    calibration,
    findPreset: (scope, id) => parts.unitOfWork.within(scope, async ({ sessions }) => (await sessions.find(id))?.preset ?? null),
  });
  const control = { ...tasks, begun, timeLimitMs: config.runTimeLimitMs, requireRoom };
  const jobs = createJobs();
  metrics.whenRead(async () => {
    for (const state of ['QUEUED', 'RUNNING', 'WAITING']) metrics.openRuns.set({ state }, 0);
    const open = await platform.countOpenRuns();
    for (const { state, count } of open) metrics.openRuns.set({ state }, count);
    metrics.agent.queueDepth.set(open.find(({ state }) => state === 'QUEUED')?.count ?? 0);
    // One segment of a session is at work at a time.
    metrics.agent.activeSessions.set(open.find(({ state }) => state === 'RUNNING')?.count ?? 0);
    metrics.activeSegments.set(engine.activeCount());
  });

  return {
    /** Runs as they are, for the record, which decides what of them is shown to whom. */
    source: { reader, feed: bus },
    taskRunner,
    /** A call of another program, which belongs to no run. */
    callDirectly: (actor: Actor, call: Omit<DirectCall, 'via'>) =>
      callDirectly({ invoker, registry, unitOfWork: parts.unitOfWork }, actor, { ...call, via: 'mcp' }),
    submitMessage: submitMessage.bind(null, control),
    getRun: getRun.bind(null, control),
    cancelRun: cancelRun.bind(null, control),
    retryRun: retryRun.bind(null, control),
    answerQuestion: answerQuestion.bind(null, control),
    decideApproval: decideApproval.bind(null, { approvals, approvalGate, registry, validator, engine }),
    readInbox: readInbox.bind(null, { approvals }),
    readQueuePlace: readQueuePlace.bind(null, { reader, engine }),
    /** The line of all tenants, for metrics: how many are at work, and who waits since when. */
    readLine: () => engine.readLine(),
    listRuns: (actor: Actor, query: RunListQuery) => reader.list(actor.scope, query, { ownOnly: !hasPermission(actor, 'run:audit') }),
    readRunEvents: (...request: Parameters<typeof reader.events>) => reader.events(...request),
    tailRun: tailRun.bind(null, { reader, feed: bus }),
    awaitResult: awaitResult.bind(null, { reader, feed: bus }),
    /** Those that the actor may not call included: for explaining why. */
    listAllCapabilities: async (actor: Actor) => (await registry.list(actor.scope.tenantId)).filter(({ status }) => status !== 'disabled'),
    listCapabilities: async (actor: Actor) =>
      (await registry.list(actor.scope.tenantId)).filter(
        (capability) =>
          capability.status !== 'disabled' && capability.requiredPermissions.every((permission) => hasPermission(actor, permission)),
      ),
    /** Those that a program may call which is no run: nobody would wait for what they begin. */
    listDirectCapabilities: async (actor: Actor) =>
      (await registry.list(actor.scope.tenantId)).filter(
        ({ status, protocol, requiredPermissions }) =>
          status !== 'disabled' && protocol !== 'AGENT' && requiredPermissions.every((permission) => hasPermission(actor, permission)),
      ),
    onRightsChange: (actor: Actor, listener: () => void) =>
      rights.onChange({ tenantId: actor.scope.tenantId, userId: actor.scope.userId }, listener),
    listOwnPurges: listOwnPurges({ operatorStore }),
    listOperatedTenants: listOperatedTenants({ operatorStore }),
    /** Asks the runs of a tenant to stop. */
    stopRunsOfTenant: (tenantId: Id<'tenant'>, by: Id<'user'>) => purges.stopRuns(tenantId, by),
    heartbeatMs: config.heartbeatMs,
    isEngineReady: () => engine.isReady(),
    countActiveSegments: () => engine.activeCount(),

    async start() {
      await Promise.all([bus.listen(), cancels.listen(), rights.listen()]);
      await engine.start(drive);
      if (config.role !== 'web') await sql.listen(WAKE_CHANNEL, () => engine.wake());
      if (config.role === 'web') return;
      jobs.every(config.reconcileTickMs, 'reconcile', () =>
        reconcileRuns({ engine, journal, openRuns: platform, clock, quietMs: config.reconcileTickMs, log }),
      );
      jobs.every(config.reconcileTickMs, 'reconcile tasks', () => reconcileTasks({ ...tasks, leftTasks: platform }));
      jobs.every(config.reconcileTickMs, 'expire approvals', () => expireApprovals({ due: platform, approvalGate, engine }));
      const { reconcilePlugins } = parts;
      if (reconcilePlugins)
        jobs.every(config.reconcileTickMs, 'reconcile plugins', () =>
          reconcilePlugins(platform, Math.max(config.reconcileTickMs, OPERATION_QUIET_MS)),
        );
      jobs.every(config.reconcileTickMs, 'purge tenants', purgeTenants({ clock, purges, forgetRuns: (runs) => engine.forget(runs) }));
      jobs.every(60_000, 'prune deltas', async () => {
        await platform.pruneDeltas(config.deltaRetentionMs);
      });
    },
    async stop(drainMs: number) {
      await jobs.stop();
      await engine.stop(drainMs);
      await traces?.stop(Math.min(drainMs, TRACES_DRAIN_MS));
      await platformSql.end({ timeout: 2 });
    },
  };
}

/** Background jobs of this process: one run of each at a time, a failure is logged and tried again. */
function createJobs() {
  const timers: NodeJS.Timeout[] = [];
  const running = new Map<string, Promise<void>>();
  return {
    every(intervalMs: number, name: string, job: () => Promise<void>) {
      timers.push(
        setInterval(() => {
          if (running.has(name)) return;
          const turn = job()
            .catch((error: unknown) => log.warn({ job: name, err: error }, 'a background job failed'))
            .finally(() => running.delete(name));
          running.set(name, turn);
        }, intervalMs),
      );
    },
    async stop() {
      for (const timer of timers) clearInterval(timer);
      await Promise.all(running.values());
    },
  };
}
