import type { CapabilityMetadata } from '#lib/capabilities/index.ts';
import { moveSession } from '#lib/conversations/index.ts';
import { END, type NodeRecords, START, StateGraph } from '#lib/graph/index.ts';
import { AppError, type JsonObject } from '#lib/kernel/index.ts';
import { type AnsweringCallInputs, invokeForAnswer } from './answering-call.ts';
import { answerTheRest, answerWithoutSteps } from './domain/answer-without-steps.ts';
import type { RunEventEntry } from './domain/boundary.ts';
import type { DocumentEvidence } from './domain/document-coverage.ts';
import type { whyWithoutModel } from './domain/path-reason.ts';
import type { ExecutionPlan, PlanStep } from './domain/plan.ts';
import type { Run, TraceEntry } from './domain/run.ts';
import { type SupervisorState, supervisorChannels } from './domain/supervisor-state.ts';
import { visibleTo } from './domain/visible-capabilities.ts';
import type { SettledOutcome } from './recorded-call.ts';

export const DETERMINISTIC_GRAPH = 'platform_supervisor_deterministic';
const PIPELINE = 'deterministic_pipeline';

export interface PipelineInputs extends AnsweringCallInputs {
  readonly capabilities: readonly CapabilityMetadata[];
  readonly ontology: { readonly summary: string; readonly revision: string; readonly documents?: DocumentEvidence };
  readonly plan: (request: {
    message: string;
    capabilities: readonly CapabilityMetadata[];
    ontologySummary: string;
    documents?: DocumentEvidence;
    locale: Run['locale'];
    now: Date;
    timeZone: string;
  }) => ExecutionPlan;
  /** Why the model path was not taken. */
  readonly reason: ReturnType<typeof whyWithoutModel>;
  /** The model path was begun and failed before anything came of it. */
  readonly isFallback?: boolean;
}

/**
 * Carries the deterministic path on from the run's records: START -> `deterministic_pipeline` -> END; plan, then each step
 * through the invoker in order (requirements P-04 to P-07). A step with a finished call is not run again. Ends with the
 * state; throws `RunMustWait` when a person has to decide, and the refusal of a call that may not be made.
 */
export async function runDeterministicSupervisor(inputs: PipelineInputs): Promise<SupervisorState> {
  const { run, records, writer } = inputs;
  const graph = new StateGraph<SupervisorState>(DETERMINISTIC_GRAPH, supervisorChannels)
    .addNode(PIPELINE, () => runPipeline(inputs))
    .addEdge(START, PIPELINE)
    .addEdge(PIPELINE, END)
    .compile();
  const nodeRecords: NodeRecords = {
    find: (path) => records.nodes.get(path),
    record: async (path, output) => writer.defer({ nodes: [{ path, output }] }),
  };
  return graph.run({
    state: { input: run.input, tenantId: run.tenantId, sessionId: run.sessionId, sessionPreset: run.preset },
    records: nodeRecords,
    signal: inputs.signal,
  });
}

async function runPipeline(inputs: PipelineInputs): Promise<Partial<SupervisorState>> {
  const { run, ontology, answer } = inputs;
  const plan = run.plan ?? planRun(inputs);
  const trace: TraceEntry[] = [];
  const outcomes: SettledOutcome[] = [];
  for (const [index, step] of plan.steps.entries()) {
    const outcome = await runStep(inputs, index, step);
    outcomes.push(outcome);
    trace.push({
      capabilityId: step.capabilityId,
      rationale: step.rationale,
      output: outcome.status === 'succeeded' ? outcome.output : { error: errorOf(outcome) },
    });
  }
  sayTheRest(inputs, plan);
  // What a person did not allow is no failure: the run has done as it was told.
  const firstFailure = outcomes.find((outcome) => outcome.status !== 'succeeded' && !wasNotAllowed(outcome));
  if (firstFailure && outcomes.every((outcome) => outcome.status !== 'succeeded')) {
    const { code, message } = errorOf(firstFailure);
    throw new AppError({ code: code === 'invalid_arguments' ? 'invalid_arguments' : 'capability_failed', message });
  }
  const text = answer.whole();
  return {
    echo: text,
    supervisor_terminal: text === '' ? 'EMPTY_STATE' : 'OK',
    ontology_summary: ontology.summary,
    ontology_revision: ontology.revision,
    pipeline_trace: trace,
    execution_plan: { intent: plan.intent, summary: plan.summary },
    conversation_history: [
      { role: 'USER', content: run.input },
      { role: 'ASSISTANT', content: text },
    ],
  };
}

/** After the steps: what they leave unanswered, or, without any, what can be done here. */
function sayTheRest({ run, actor, answer, writer, capabilities, clock }: PipelineInputs, plan: ExecutionPlan): void {
  const step = plan.steps.length;
  if (answer.of(step) !== '') return;
  const visible = visibleTo(actor, capabilities);
  const rest = step === 0 ? answerWithoutSteps(plan, visible, run.locale) : answerTheRest(plan, visible, run.locale);
  if (rest === '') return;
  const text = step === 0 ? rest : `\n\n${rest}`;
  answer.append(step, text);
  writer.defer({ events: [{ type: 'text-delta', at: clock.now(), payload: { step, attempt: 1, text } }] });
}

/** Plans and leaves the plan with the first step's write: planning is pure, a crash before it plans the same again. */
function planRun({
  run,
  actor,
  capabilities,
  ontology,
  plan: planRequest,
  reason,
  isFallback,
  writer,
  clock,
}: PipelineInputs): ExecutionPlan {
  const plan = planRequest({
    message: run.input,
    capabilities: visibleTo(actor, capabilities),
    ontologySummary: ontology.summary,
    ...(ontology.documents ? { documents: ontology.documents } : {}),
    locale: run.locale,
    // When the message was sent and not now: a run that is planned again after a crash plans the same.
    now: run.createdAt,
    timeZone: run.timeZone,
  });
  const at = clock.now();
  const started: JsonObject = { message: run.input, preset: run.preset, ontology_revision: ontology.revision };
  const events: RunEventEntry[] = [
    { type: 'path-chosen', at, payload: { path: 'deterministic', graph: DETERMINISTIC_GRAPH, ...reason } },
    { type: 'SUPERVISOR_RUN_START', at, payload: started },
    { type: 'STREAM_START', at, payload: { message: run.input } },
    { type: 'AgentPlanProposed', at, payload: toJson(plan) },
  ];
  writer.defer({
    run: {
      path: 'deterministic',
      graph: DETERMINISTIC_GRAPH,
      pathReason: reason,
      ontologyRevision: ontology.revision,
      plan,
      stepCount: plan.steps.length,
    },
    events,
    session: {
      events: [
        { type: 'SUPERVISOR_RUN_START', payload: { runId: run.id, ...started } },
        isFallback ? moveSession('EXECUTING', 'PLANNING', reason.text) : moveSession('IDLE', 'PLANNING', 'a run has started'),
        { type: 'AgentPlanProposed', payload: { runId: run.id, summary: plan.summary } },
        moveSession('PLANNING', 'EXECUTING', 'the plan is made'),
      ],
    },
    refuseWhenCancelled: true,
  });
  return plan;
}

/** Somebody has said no, or nobody said anything in time. */
function wasNotAllowed(outcome: SettledOutcome): boolean {
  return 'code' in outcome && (outcome.code === 'approval_denied' || outcome.code === 'approval_expired');
}

async function runStep(inputs: PipelineInputs, index: number, step: PlanStep): Promise<SettledOutcome> {
  const outcome = await invokeForAnswer(inputs, {
    path: `${PIPELINE}/${index}`,
    step: index,
    capabilityId: step.capabilityId,
    arguments: step.arguments,
    callsSoFar: index,
  });
  if (outcome.status === 'refused' && outcome.code !== 'invalid_arguments' && !wasNotAllowed(outcome)) {
    throw new AppError({ code: outcome.code, message: outcome.message });
  }
  return outcome;
}

function errorOf(outcome: SettledOutcome): { code: string; message: string } {
  return outcome.status === 'failed' || outcome.status === 'refused'
    ? { code: outcome.code, message: outcome.message }
    : { code: 'capability_failed', message: 'The call did not end.' };
}

function toJson(plan: ExecutionPlan): JsonObject {
  return {
    intent: { ...plan.intent },
    summary: plan.summary,
    steps: plan.steps.map((step) => ({ ...step })),
    candidates: plan.candidates.map((candidate) => ({ ...candidate })),
  };
}
