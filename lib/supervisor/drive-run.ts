import type { CapabilityRegistry, InvocationRecord, Invoker } from '#lib/capabilities/index.ts';
import {
  assembleContext,
  type ContextContributor,
  createDocumentsContributor,
  createHistoryContributor,
  createOntologyContributor,
  hasOutsideContent,
  type RememberedConversation,
} from '#lib/context/index.ts';
import { agentIdOf, moveSession } from '#lib/conversations/index.ts';
import type { Drive } from '#lib/durable/index.ts';
import type { Pipeline } from '#lib/graph/index.ts';
import { AppError, type Clock, faultPoint, type Id, isAppError, messageOf, type TenantScope } from '#lib/kernel/index.ts';
import {
  type Budget,
  type BudgetLedger,
  type ModelChoice,
  ModelError,
  type ModelSource,
  priceOf,
  type TokenCalibration,
  type TokenCounters,
} from '#lib/models/index.ts';
import { spanIdOf, traceIdOf, withLogContext, withOwnLogContext } from '#lib/telemetry/index.ts';
import { hasPermission } from '#lib/tenancy/index.ts';
import type { BegunRuns } from './begun-runs.ts';
import { type PipelineInputs, runDeterministicSupervisor } from './deterministic-supervisor.ts';
import { AnswerText } from './domain/answer-text.ts';
import { answererUnder, capabilitiesUnder } from './domain/answerer.ts';
import { EMPTY_GRAPH_STATE, type Ending, endBoundary } from './domain/ending.ts';
import { ModelUse } from './domain/model-use.ts';
import { type WhyWithoutModel, whyWithoutModel } from './domain/path-reason.ts';
import type { Question, Run } from './domain/run.ts';
import { RunMustWait } from './domain/run-must-wait.ts';
import { changesByItself, describeStop } from './domain/stopped-work.ts';
import type { SupervisorState } from './domain/supervisor-state.ts';
import { runLlmSupervisor } from './llm-supervisor.ts';
import { runPipelineSupervisor } from './pipeline-supervisor.ts';
import type { ActorSource, CancelFeed, OntologySource, PresetBinding, RunJournal, RunRecords } from './ports.ts';
import { RunBudget } from './run-budget.ts';
import { type ConsentRuleSource, RunConsent } from './run-consent.ts';
import { RunWriter } from './run-writer.ts';
import { StartLine } from './start-line.ts';

export interface DriveDependencies {
  readonly journal: RunJournal;
  readonly begun: BegunRuns;
  readonly actors: ActorSource;
  readonly ontology: OntologySource;
  /** Throws `plugin_not_installed` when the plugin of a preset is gone; a run that has begun is not asked again. */
  readonly requirePreset: (scope: TenantScope, preset: string) => Promise<void>;
  /** To read in; what runs goes through the invoker. */
  readonly registry: Pick<CapabilityRegistry, 'list' | 'describe'>;
  readonly invoker: Invoker;
  /** What holds for calls that change something, read when they are made. */
  readonly consentRules: ConsentRuleSource;
  /** How long people have to decide about a call. */
  readonly approvalWindowMs: number;
  readonly plan: PipelineInputs['plan'];
  readonly models: ModelSource;
  readonly budgets: BudgetLedger;
  /** What the preset of a run brings to it. */
  readonly bindPreset: (scope: TenantScope, preset: string) => PresetBinding;
  /** A session above one message, as the model's memory has it. */
  readonly readTurns: (request: {
    scope: TenantScope;
    sessionId: Id<'session'>;
    agentId: string;
    messageId: Id<'message'>;
  }) => Promise<RememberedConversation>;
  readonly searchDocuments: Parameters<typeof createDocumentsContributor>[0];
  readonly counters: TokenCounters;
  readonly calibration: TokenCalibration;
  readonly random: () => number;
  readonly repairJson: (text: string) => string;
  readonly cancels: CancelFeed;
  /** Lets a run that has begun to wait for its tasks go on, where they have all ended by then. */
  readonly goOnAfterTasks: (run: Run) => Promise<void>;
  readonly clock: Clock;
  readonly log: {
    info(context: object, message: string): void;
    warn(context: object, message: string): void;
    error(context: object, message: string): void;
  };
  /** `calls` are all that the run has made; `hasTasks`: it has handed some on. */
  readonly onEnded?: (run: Run, ending: Ending, calls: readonly InvocationRecord[], hasTasks: boolean) => void;
}

/** What a segment reads before it begins, afresh: who asks, what is known here, what can be called. */
type RunStart = Pick<PipelineInputs, 'actor' | 'ontology' | 'capabilities' | 'onlyIds'> & { readonly budgets: readonly Budget[] };

/** What the model's memory and the documents have for a request. */
interface Recalled {
  readonly remembered: Promise<RememberedConversation>;
  readonly documents: ContextContributor;
}

/** Why the signal of a drive fired. */
type Abort = 'cancelled' | 'timeout' | 'engine';

/**
 * Carries a run on: "what is missing?", from its records, at any point and in any process (`design.md` section 3). A run
 * ends in one of these ways, and in no other:
 * - FINISH_OK: the graph ended with an answer.
 * - FINISH_ERROR: every step failed, a call was refused, the person lost access, the graph ended empty, or a bug was thrown.
 * - TIMEOUT: the time limit fired.
 * - CANCELLED: a stop was asked for.
 * The segment also ends without ending the run: the run waits for an answer; another process has taken it on; or the
 * database is away (thrown, so that the engine tries again).
 */
export function createDrive(dependencies: DriveDependencies): Drive {
  const line = new StartLine(BEGIN_AT_ONCE);
  const modelUse = new ModelUse();
  const drive: Drive = async (segment, engineSignal, claim) => {
    // One that was begun with its message may be stopped before it is driven: its records do not tell.
    let isStopped = false;
    const stopListening = dependencies.cancels.onCancel(segment.runId, () => (isStopped = true));
    using place = await line.enter();
    const take = async () => dependencies.begun.take(claim.token) ?? (await dependencies.journal.begin(segment, claim));
    const records = await take().finally(stopListening);
    if (!records) return;
    faultPoint('segment.begun');
    const driver = new RunDriver(dependencies, modelUse, records, () => place[Symbol.dispose]());
    const { userId } = records.run;
    await withLogContext({ userId }, () => driver.drive(engineSignal, isStopped));
  };
  return (segment, engineSignal, claim) => {
    const traceId = traceIdOf(segment.runId);
    // The request that set it off may be another person's.
    const { tenantId, sessionId, runId } = segment;
    const context = { traceId, spanId: spanIdOf(traceId, ''), tenantId, sessionId, runId };
    return withOwnLogContext(context, () => drive(segment, engineSignal, claim));
  };
}

/** Few enough that the first of a crowd are not late, and enough to have the database answer while another computes. */
const BEGIN_AT_ONCE = 6;

class RunDriver {
  readonly #dependencies: DriveDependencies;
  readonly #modelUse: ModelUse;
  /** Called when what the run needs to begin is there. */
  readonly #onGathered: () => void;
  readonly #records: RunRecords;
  readonly #run: Run;
  readonly #writer: RunWriter;
  readonly #answer: AnswerText;
  readonly #consent: RunConsent;
  readonly #abort = new AbortController();
  readonly #startedAtMs: number;
  #abortedBy: Abort | null = null;
  #isPlannedByModel = false;
  /** Until budgets were read, a driver before this one may have left something held. */
  #settlesBudgets = true;

  constructor(dependencies: DriveDependencies, modelUse: ModelUse, records: RunRecords, onGathered: () => void) {
    this.#dependencies = dependencies;
    this.#modelUse = modelUse;
    this.#onGathered = onGathered;
    this.#records = records;
    this.#run = records.run;
    this.#answer = new AnswerText(records.shownText);
    this.#writer = new RunWriter({ journal: dependencies.journal, key: keyOf(records.run), calls: records.invocations.values() });
    const { registry, consentRules: rules } = dependencies;
    this.#consent = new RunConsent({ run: records.run, records, writer: this.#writer, registry, rules });
    this.#startedAtMs = dependencies.clock.now().getTime();
  }

  async drive(engineSignal: AbortSignal, isStopped: boolean): Promise<void> {
    const stopListening = this.#listen(engineSignal);
    try {
      if (isStopped) return await this.#endAfterFence();
      if (this.#run.cancelRequestedAt) return await this.#finish({ terminal: 'CANCELLED' });
      const state = await this.#runPath();
      await this.#finishWith(state);
    } catch (error) {
      await this.#endAfter(error);
    } finally {
      stopListening();
    }
  }

  /** Stop, time limit and engine all fire one signal; the first reason counts. */
  #listen(engineSignal: AbortSignal): () => void {
    const fire = (reason: Abort) => {
      if (this.#abortedBy) return;
      this.#abortedBy = reason;
      this.#abort.abort(new AppError({ code: 'timeout', message: reason === 'timeout' ? 'the time limit is up' : 'stopped' }));
    };
    const onEngine = () => fire('engine');
    engineSignal.addEventListener('abort', onEngine, { once: true });
    const stopCancel = this.#dependencies.cancels.onCancel(this.#run.id, () => fire('cancelled'));
    const timer = setTimeout(() => fire('timeout'), Math.max(0, this.#run.timeLimitMs - this.#run.workedMs));
    return () => {
      clearTimeout(timer);
      stopCancel();
      engineSignal.removeEventListener('abort', onEngine);
    };
  }

  /** The model path where the tenant uses a model and one is there, else the deterministic one (requirements P-03, P-04). */
  async #runPath(): Promise<SupervisorState> {
    const { actors, ontology, models, budgets, registry, bindPreset, requirePreset } = this.#dependencies;
    const run = this.#run;
    const scope = { tenantId: run.tenantId, userId: run.userId };
    // Together with the registry's, so that the plugins in use are read once.
    const preset = bindPreset(scope, run.preset);
    // Together with the rest, where a model will read it as far as can be told.
    const recalled = run.path === 'llm' || (run.path === null && this.#modelUse.isLikely(run.tenantId)) ? this.#recall() : null;
    const [actor, known, choice, set, capabilities] = await Promise.all([
      actors.actorOfRun(run),
      ontology.describe(scope, run.input),
      models.find(scope),
      budgets.list(scope),
      registry.list(run.tenantId),
      run.path === null ? requirePreset(scope, run.preset) : null,
    ]);
    this.#modelUse.note(run.tenantId, choice.status === 'available');
    this.#consent.askedFor = actor;
    this.#settlesBudgets = set.length > 0;
    const start: RunStart = {
      actor,
      ontology: known,
      capabilities: capabilitiesUnder(preset, capabilities, { isTask: run.parentRunId !== null }),
      onlyIds: preset.capabilityIds,
      budgets: set,
    };
    // A pipeline answers wherever no agent of the preset does.
    const { pipeline } = preset;
    const withoutModel = (code: WhyWithoutModel, detail?: string) =>
      pipeline ? this.#runPipeline(start, pipeline, preset.agent ? code : 'pipeline', detail) : this.#runWithoutModel(start, code, detail);
    if (run.path === 'deterministic' || (pipeline && !preset.agent)) return withoutModel('no-model');
    if (choice.status === 'unavailable') {
      if (run.path === 'llm')
        throw new AppError({ code: 'model_failed', message: 'The model that this run began with is no longer set up.' });
      return withoutModel(choice.code);
    }
    try {
      return await this.#runWithModel(start, choice, preset, recalled ?? this.#recall());
    } catch (error) {
      const isUntouched = this.#answer.whole() === '' && this.#writer.calls.size === 0;
      if (!choice.fallsBack || !(error instanceof ModelError) || error.kind === 'aborted' || !isUntouched) throw error;
      return withoutModel('model-failed', error.message);
    }
  }

  #runPipeline(start: RunStart, pipeline: Pipeline, code: WhyWithoutModel, detail?: string): Promise<SupervisorState> {
    return runPipelineSupervisor({ ...this.#beginWithoutModel(start, code, detail), pipeline });
  }

  #runWithoutModel(start: RunStart, code: WhyWithoutModel, detail?: string): Promise<SupervisorState> {
    return runDeterministicSupervisor({ ...this.#beginWithoutModel(start, code, detail), plan: this.#dependencies.plan });
  }

  #beginWithoutModel(start: RunStart, code: WhyWithoutModel, detail: string | undefined) {
    const { invoker, clock } = this.#dependencies;
    this.#onGathered();
    this.#isPlannedByModel = false;
    return {
      run: this.#run,
      records: this.#records,
      ...start,
      reason: whyWithoutModel(code, this.#run.locale, detail),
      isFallback: code === 'model-failed',
      invoker,
      consent: this.#consent,
      writer: this.#writer,
      answer: this.#answer,
      clock,
      signal: this.#abort.signal,
    };
  }

  async #runWithModel(
    start: RunStart,
    choice: Extract<ModelChoice, { status: 'available' }>,
    preset: PresetBinding,
    recalled: Recalled,
  ): Promise<SupervisorState> {
    const { invoker, clock, random, repairJson, counters, calibration, log } = this.#dependencies;
    const run = this.#run;
    this.#isPlannedByModel = true;
    const [companions, remembered] = await Promise.all([preset.companions(), recalled.remembered]);
    const contributors = [
      createOntologyContributor(async () => start.ontology),
      createHistoryContributor(remembered),
      // Nobody is told by an agent what they may not read themselves.
      ...(hasPermission(start.actor, 'knowledge:read') ? [recalled.documents] : []),
      ...companions.contributors,
    ];
    const context = await assembleContext(contributors, this.#contextRequest());
    this.#consent.hasOutsideContext = hasOutsideContent(context.fragments);
    this.#onGathered();
    const fallbacks = choice.fallbacks ?? [];
    const priced = [choice, ...fallbacks];
    const priceAt = (place: number, at: Date) => priceOf(priced[place] ?? { price: null }, at);
    const { budgets, ...known } = start;
    const budget =
      budgets.length > 0
        ? new RunBudget({ ledger: this.#dependencies.budgets, budgets, run, priceOf: priceAt, writer: this.#writer, clock })
        : null;
    return runLlmSupervisor({
      run,
      records: this.#records,
      ...known,
      ...answererUnder(preset, companions),
      context,
      remembered,
      counters,
      calibration,
      log,
      model: choice.model,
      priceOf: priceAt,
      fallbacks,
      budget,
      invoker,
      consent: this.#consent,
      writer: this.#writer,
      answer: this.#answer,
      clock,
      random,
      repairJson,
      signal: this.#abort.signal,
    });
  }

  /** Reads what a model is told besides the request; what fails is told to whoever uses it. */
  #recall(): Recalled {
    const { readTurns, searchDocuments } = this.#dependencies;
    const request = this.#contextRequest();
    const remembered = readTurns(request);
    const documents = createDocumentsContributor(searchDocuments);
    const fragments = documents.contribute(request);
    for (const reading of [remembered, fragments]) reading.catch(() => undefined);
    return { remembered, documents: { ...documents, contribute: () => fragments } };
  }

  #contextRequest() {
    const { tenantId, userId, sessionId, messageId, preset, input } = this.#run;
    return { scope: { tenantId, userId }, sessionId, messageId, agentId: agentIdOf(preset), message: input };
  }

  async #finishWith(state: SupervisorState): Promise<void> {
    faultPoint('run.before-finish');
    if (state.supervisor_terminal !== 'OK' || !state.echo) {
      return this.#finish({ terminal: 'FINISH_ERROR', error: { code: 'internal', message: EMPTY_GRAPH_STATE } });
    }
    const exchange = this.#exchange(state.echo);
    try {
      await this.#finish({ terminal: 'FINISH_OK', ...(exchange && { exchange }) });
    } catch (error) {
      // The run is answered even if the model's memory cannot keep it (requirement P-14).
      if (!exchange || isAppError(error)) throw error;
      this.#dependencies.log.warn({ runId: this.#run.id, error: messageOf(error) }, 'the exchange was not saved');
      await this.#finish({ terminal: 'FINISH_OK' });
    }
    faultPoint('run.finished');
  }

  #exchange(answer: string): { agentId: string; user: string; assistant: string } | null {
    try {
      return { agentId: agentIdOf(this.#run.preset), user: this.#run.input, assistant: answer };
    } catch (error) {
      this.#dependencies.log.warn({ runId: this.#run.id, error: messageOf(error) }, 'the exchange was not saved');
      return null;
    }
  }

  async #endAfter(error: unknown): Promise<void> {
    if (error instanceof RunMustWait) return this.#wait(error.question).catch((refusal: unknown) => this.#endAfter(refusal));
    if (isAppError(error) && error.code === 'unavailable') {
      this.#writer.abandon();
      throw error;
    }
    if (isAppError(error) && error.code === 'stale_epoch') return this.#endAfterFence();
    if (this.#abortedBy === 'cancelled' || this.#abortedBy === 'engine') return this.#endAfterFence();
    if (this.#abortedBy === 'timeout') return this.#finish({ terminal: 'TIMEOUT' });
    if (error instanceof ModelError)
      return this.#finish({ terminal: 'FINISH_ERROR', error: { code: 'model_failed', message: error.message } });
    if (isAppError(error)) return this.#finish({ terminal: 'FINISH_ERROR', error: { code: error.code, message: error.message } });
    this.#dependencies.log.error({ runId: this.#run.id, error }, 'a run failed unexpectedly');
    this.#writer.withdraw();
    await this.#finish({
      terminal: 'FINISH_ERROR',
      error: { code: 'internal', message: 'Something went wrong on the server; its log has the cause.' },
    });
  }

  /** A write was refused or the engine fired: either a stop was asked for, or another process drives the run. */
  async #endAfterFence(): Promise<void> {
    const run = await this.#dependencies.journal.find({ tenantId: this.#run.tenantId }, this.#run.id);
    if (!run || run.epoch !== this.#run.epoch || run.endedAt) return this.#writer.abandon();
    this.#writer.withdraw();
    if (run.cancelRequestedAt) return this.#finish({ terminal: 'CANCELLED' }, run);
    await this.#finish({ terminal: 'FINISH_ERROR', error: { code: 'internal', message: 'interrupted' } });
  }

  async #wait(question: Question | null): Promise<void> {
    const at = this.#dependencies.clock.now();
    const isForPeople = question !== null || this.#consent.needed.length > 0;
    const reason = isForPeople ? 'a person has to decide' : 'its tasks are at work';
    await this.#writer.write({
      run: { state: 'WAITING', workedMs: this.#workedMs() },
      settlesBudgets: this.#settlesBudgets,
      ...(question && { question }),
      approvals: this.#consent.needed.map((approval) => ({ ...approval, windowMs: this.#dependencies.approvalWindowMs })),
      events: [
        ...(question
          ? [{ type: 'question-asked' as const, at, payload: { ...question, options: question.options.map((option) => ({ ...option })) } }]
          : []),
        ...this.#consent.requests(at, this.#dependencies.approvalWindowMs),
        { type: 'run-state', at, payload: { from: 'RUNNING', to: 'WAITING', reason } },
      ],
      audit: [
        ...(question
          ? [
              {
                type: 'question.asked' as const,
                target: { kind: 'question', id: question.id },
                runId: this.#run.id,
                details: { kind: question.kind },
              },
            ]
          : []),
        ...this.#consent.auditRows(),
      ],
      ...(isForPeople && { session: { events: [moveSession('EXECUTING', 'WAITING_USER', question?.kind ?? 'approval')] } }),
      refuseWhenCancelled: true,
    });
    faultPoint('run.waiting');
    if (this.#hasTasks()) await this.#dependencies.goOnAfterTasks(this.#run);
  }

  #hasTasks(): boolean {
    const { registry } = this.#dependencies;
    return [...this.#writer.calls.values()].some(
      ({ capabilityId }) => registry.describe(this.#run.tenantId, capabilityId)?.protocol === 'AGENT',
    );
  }

  async #finish(ending: Pick<Ending, 'terminal' | 'error' | 'exchange'>, run: Run = this.#run): Promise<void> {
    const calls = [...this.#writer.calls.values()];
    const whole: Ending = {
      ...ending,
      text: this.#answer.whole(),
      at: this.#dependencies.clock.now(),
      workedMs: this.#workedMs(),
      ...(this.#isPlannedByModel && { stepCount: calls.length }),
      callsSucceeded: calls.filter((call) => call.state === 'SUCCEEDED').length,
      callsFailed: calls.filter((call) => call.state === 'FAILED').length,
      ...(ending.terminal === 'CANCELLED' && { stopped: this.#whatWasStopped(calls, run) }),
    };
    try {
      // A run whose stop was answered ends as stopped, however near it was to another end (known fault K4).
      await this.#writer.write({
        ...endBoundary({ ...run, state: 'RUNNING' }, whole),
        settlesBudgets: this.#settlesBudgets,
        refuseWhenCancelled: ending.terminal !== 'CANCELLED',
      });
    } catch (error) {
      if (!isAppError(error) || error.code !== 'stale_epoch') throw error;
      if (ending.terminal !== 'CANCELLED') return this.#endAfterFence();
      this.#dependencies.log.warn({ runId: run.id, epoch: run.epoch }, 'another process ended this run');
      return;
    }
    this.#dependencies.log.info(
      { runId: run.id, sessionId: run.sessionId, terminal: ending.terminal, workedMs: this.#workedMs() },
      'run ended',
    );
    this.#dependencies.onEnded?.(run, whole, calls, this.#hasTasks());
  }

  #whatWasStopped(calls: readonly InvocationRecord[], run: Run): NonNullable<Ending['stopped']> {
    const changesSomething = (capabilityId: string) => changesByItself(this.#dependencies.registry.describe(run.tenantId, capabilityId));
    return { ...describeStop(calls, { stopAskedAt: run.cancelRequestedAt, changesSomething }), by: run.cancelRequestedBy };
  }

  #workedMs(): number {
    return this.#run.workedMs + (this.#dependencies.clock.now().getTime() - this.#startedAtMs);
  }
}

function keyOf(run: Run) {
  return { tenantId: run.tenantId, sessionId: run.sessionId, runId: run.id, epoch: run.epoch };
}
