import { z } from 'zod';
import { hasEnded } from '#components/runs/has-ended.ts';
import {
  type CompactionView,
  type ContextView,
  compactionView,
  contextView,
  type UsageView,
  usageView,
} from '#lib/conversations/contract.ts';
import {
  type ApprovalView,
  approvalView,
  type InvocationView,
  invocationState,
  type PlanView,
  planView,
  type QuestionView,
  questionView,
  type RunEventView,
  type RunState,
  type RunView,
  runState,
  type StageView,
  stageView,
} from '#lib/supervisor/contract.ts';

/**
 * What a run's log says so far, as the chat shows it. Made from events alone, so that a reload, a reconnection and a second
 * tab all arrive at the same picture.
 */
export interface RunProgress {
  runId: string;
  state: RunState;
  /** The last event that was taken in; events up to it change nothing any more. */
  lastSeq: number;
  /** The message the run answers. */
  messageId: string | null;
  path: RunView['path'];
  pathReason: RunView['pathReason'];
  plan: PlanView | null;
  invocations: readonly InvocationView[];
  /** How far calls that are under way say that they have come. */
  callProgress: readonly CallProgressPart[];
  modelCalls: readonly ModelCallPart[];
  /** What had no room in the model any more. */
  compactions: readonly CompactionView[];
  handoffs: readonly HandoffPart[];
  /** What the model thought aloud, by step; never part of the answer. */
  reasoning: readonly ReasoningPart[];
  /** Text as it was streamed, by step, in the order of steps. */
  pieces: readonly { step: number; attempt: number; text: string }[];
  /** The whole answer, once it has been produced. */
  answer: string | null;
  question: QuestionView | null;
  approvals: readonly ApprovalView[];
  error: RunView['error'];
  createdAt: string | null;
  startedAt: string | null;
  endedAt: string | null;
}

export interface CallProgressPart {
  invocationId: string;
  progress: number;
  total: number | null;
  /** The tool's own words. */
  message: string | null;
}

export interface ReasoningPart {
  step: number;
  text: string;
  startedAt: string;
  endedAt: string;
}

/** One call of a model, with its tokens in classes that do not overlap. */
export interface ModelCallPart {
  path: string;
  agentId: string;
  provider: string;
  model: string;
  usage: Omit<UsageView, 'totalTokens' | 'cost' | 'models'>;
  cost: UsageView['cost'];
  /** What it was for. */
  scene: 'answer' | 'summary';
  /** What it was sent, and the room there was; null of calls that nobody measured. */
  context: ContextView | null;
}

/** A task that one agent gave to another. */
export interface HandoffPart {
  path: string;
  from: string;
  to: string;
  task: string;
  /** Null until the other agent has answered. */
  answer: string | null;
}

export function startProgress(runId: string): RunProgress {
  return {
    runId,
    state: 'QUEUED',
    lastSeq: 0,
    messageId: null,
    path: null,
    pathReason: null,
    plan: null,
    invocations: [],
    callProgress: [],
    modelCalls: [],
    compactions: [],
    handoffs: [],
    reasoning: [],
    pieces: [],
    answer: null,
    question: null,
    approvals: [],
    error: null,
    createdAt: null,
    startedAt: null,
    endedAt: null,
  };
}

/** The text to show: the answer when it is whole, else what has been streamed of it. */
export function progressText(progress: Pick<RunProgress, 'answer' | 'pieces'>): string {
  return progress.answer ?? progress.pieces.map(({ text }) => text).join('');
}

/**
 * Takes in one event. An event that was taken in before changes nothing, so any replay is safe; a gap is not waited for,
 * since pieces of text are pruned some time after a run. A payload that cannot be read is passed over.
 */
export function applyRunEvent(progress: RunProgress, event: RunEventView): RunProgress {
  if (event.runId !== progress.runId || event.seq <= progress.lastSeq) return progress;
  return { ...progress, ...changeBy(progress, event), lastSeq: event.seq };
}

export function applyRunEvents(progress: RunProgress, events: readonly RunEventView[]): RunProgress {
  return events.reduce(applyRunEvent, progress);
}

const payloads = {
  prompt: z.object({ messageId: z.string() }),
  state: z.object({ to: runState }),
  path: z.object({ path: z.enum(['deterministic', 'llm']), code: z.string(), text: z.string() }),
  requested: z.object({
    invocationId: z.string(),
    step: z.number(),
    capabilityId: z.string(),
    arguments: z.record(z.string(), z.unknown()),
  }),
  transition: z.object({
    invocationId: z.string(),
    from: invocationState.nullable().optional(),
    to: invocationState,
    reason: z.string().optional(),
    attempt: z.number().optional(),
  }),
  told: z.object({ invocationId: z.string(), progress: z.number(), total: z.number().nullable(), message: z.string().nullable() }),
  executed: z.object({ invocationId: z.string(), error: z.object({ code: z.string(), message: z.string() }).nullish() }),
  accepted: z.object({ invocationId: z.string(), output: z.record(z.string(), z.unknown()) }),
  answered: z.object({ questionId: z.string(), answer: z.string() }),
  decided: z.object({
    approvalId: z.string(),
    state: approvalView.shape.state,
    by: approvalView.shape.decidedBy,
    at: z.string(),
    extent: approvalView.shape.extent,
    note: z.string().nullable(),
    arguments: z.record(z.string(), z.unknown()).optional(),
  }),
  thought: z.object({ step: z.number(), text: z.string() }),
  modelCall: z.object({
    path: z.string(),
    agentId: z.string(),
    provider: z.string(),
    model: z.string(),
    usage: usageView.omit({ totalTokens: true, cost: true, models: true }),
    cost: usageView.shape.cost,
    scene: z.enum(['answer', 'summary']).default('answer'),
    context: contextView.nullable().default(null),
  }),
  compaction: compactionView.omit({ runId: true }),
  handoff: z.object({ path: z.string(), from: z.string(), to: z.string(), task: z.string() }),
  handoffAnswered: z.object({ path: z.string(), text: z.string() }),
  delta: z.object({ step: z.number(), attempt: z.number(), text: z.string() }),
  reset: z.object({ step: z.number(), attempt: z.number().optional() }),
  response: z.object({ text: z.string() }),
  finish: z.object({ terminal: z.string() }),
  failure: z.object({ error: z.union([z.object({ code: z.string(), message: z.string() }), z.string()]) }),
};

type Change = Partial<RunProgress>;

function changeBy(progress: RunProgress, event: RunEventView): Change {
  const read = <Schema extends z.ZodType>(schema: Schema, change: (payload: z.output<Schema>) => Change): Change => {
    const parsed = schema.safeParse(event.payload);
    return parsed.success ? change(parsed.data) : {};
  };
  switch (event.type) {
    case 'UserPromptSubmitted':
      return { createdAt: event.at, ...read(payloads.prompt, ({ messageId }) => ({ messageId })) };
    case 'run-state':
      return read(payloads.state, ({ to }) => reach(progress, to, event.at));
    case 'SUPERVISOR_RUN_START':
      return { startedAt: progress.startedAt ?? event.at };
    case 'path-chosen':
      return read(payloads.path, ({ path, code, text }) => ({ path, pathReason: { code, text } }));
    case 'AgentPlanProposed':
      return read(planView, (plan) => ({ plan }));
    case 'stage-completed':
      return read(stageView, (stage) => ({ plan: completeStage(progress.plan, stage) }));
    case 'ToolInvocationRequested':
      return read(payloads.requested, (requested) => ({ invocations: addInvocation(progress.invocations, requested, event.at) }));
    case 'invocation-state':
      return read(payloads.transition, ({ invocationId, from, to, reason, attempt }) => ({
        // What an attempt has told ends with it.
        callProgress: progress.callProgress.filter((part) => part.invocationId !== invocationId),
        ...changeInvocation(progress, invocationId, (invocation) =>
          moveInvocation(invocation, {
            from: from ?? null,
            to,
            reason: reason ?? '',
            attempt: attempt ?? invocation.attempt,
            at: event.at,
          }),
        ),
      }));
    case 'tool-progress':
      return read(payloads.told, (told) => ({
        callProgress: [...progress.callProgress.filter(({ invocationId }) => invocationId !== told.invocationId), told],
      }));
    case 'ToolExecuted':
      return read(payloads.executed, ({ invocationId, error }) => changeInvocation(progress, invocationId, () => (error ? { error } : {})));
    case 'ToolResultAccepted':
      return read(payloads.accepted, ({ invocationId, output }) => changeInvocation(progress, invocationId, () => ({ output })));
    case 'question-asked':
      return read(questionView, (question) => ({ question }));
    case 'question-answered':
      return read(payloads.answered, ({ questionId, answer }) =>
        progress.question?.id === questionId ? { question: { ...progress.question, state: 'ANSWERED', answer } } : {},
      );
    case 'approval-requested':
      return read(approvalView, (approval) => ({
        approvals: progress.approvals.some(({ id }) => id === approval.id) ? progress.approvals : [...progress.approvals, approval],
      }));
    case 'approval-decided':
      return read(payloads.decided, (decided) => ({
        approvals: progress.approvals.map((approval) => (approval.id === decided.approvalId ? decideBy(approval, decided) : approval)),
      }));
    case 'text-delta':
      return read(payloads.delta, (delta) => ({ pieces: addPiece(progress.pieces, delta) }));
    case 'text-reset':
      return read(payloads.reset, ({ step }) => ({
        pieces: progress.pieces.filter((piece) => piece.step !== step),
        reasoning: progress.reasoning.filter((part) => part.step !== step),
      }));
    case 'reasoning-delta':
      return read(payloads.thought, (thought) => ({ reasoning: addThought(progress.reasoning, thought, event.at) }));
    case 'model-call':
      return read(payloads.modelCall, (call) => ({ modelCalls: addOnce(progress.modelCalls, call) }));
    case 'conversation-compacted':
      return read(payloads.compaction, (compaction) => ({
        compactions: addOnce(progress.compactions, { ...compaction, runId: progress.runId }),
      }));
    case 'handoff':
      return read(payloads.handoff, (handoff) => ({ handoffs: addOnce(progress.handoffs, { ...handoff, answer: null }) }));
    case 'handoff-answered':
      return read(payloads.handoffAnswered, ({ path, text }) => ({
        handoffs: progress.handoffs.map((handoff) => (handoff.path === path ? { ...handoff, answer: text } : handoff)),
      }));
    case 'ModelResponseProduced':
      return read(payloads.response, ({ text }) => ({ answer: text }));
    case 'RUN_FINISH':
      return read(payloads.finish, ({ terminal }) => reach(progress, terminal === 'OK' ? 'FINISH_OK' : 'FINISH_ERROR', event.at));
    case 'RUN_TIMEOUT':
      return reach(progress, 'TIMEOUT', event.at);
    case 'RUN_ERROR':
      return {
        ...reach(progress, 'FINISH_ERROR', event.at),
        ...read(payloads.failure, ({ error }) => ({ error: typeof error === 'string' ? { code: 'internal', message: error } : error })),
      };
    case 'RUN_CANCELLED':
      return reach(progress, 'CANCELLED', event.at);
    default:
      return {};
  }
}

function decideBy(approval: ApprovalView, decided: z.output<typeof payloads.decided>): ApprovalView {
  const { state, by, at, extent, note, arguments: changed } = decided;
  return {
    ...approval,
    ...(changed && { arguments: changed, proposedArguments: approval.arguments }),
    state,
    decidedBy: by,
    decidedAt: at,
    extent,
    note,
  };
}

/** Stages before it that are still waiting were passed over. */
function completeStage(plan: PlanView | null, done: StageView): PlanView | null {
  const index = plan?.stages?.findIndex(({ id }) => id === done.id) ?? -1;
  if (!plan?.stages || index < 0) return plan;
  const stages = plan.stages.map((stage, place): StageView => {
    if (place === index) return done;
    return place < index && stage.state === 'waiting' ? { ...stage, state: 'skipped' } : stage;
  });
  return { ...plan, stages };
}

/** A run that has ended stays as it ended. */
function reach(progress: RunProgress, state: RunState, at: string): Change {
  if (hasEnded(progress.state)) return {};
  if (hasEnded(state)) return { state, endedAt: at };
  return state === 'RUNNING' ? { state, startedAt: progress.startedAt ?? at } : { state };
}

function addInvocation(
  invocations: readonly InvocationView[],
  requested: z.output<typeof payloads.requested>,
  at: string,
): readonly InvocationView[] {
  if (invocations.some(({ id }) => id === requested.invocationId)) return invocations;
  const invocation: InvocationView = {
    id: requested.invocationId,
    step: requested.step,
    capabilityId: requested.capabilityId,
    capabilityVersion: null,
    state: 'REQUESTED',
    attempt: 0,
    arguments: requested.arguments,
    output: null,
    error: null,
    requestedAt: at,
    finishedAt: null,
    transitions: [],
  };
  return [...invocations, invocation];
}

function changeInvocation(progress: RunProgress, id: string, change: (invocation: InvocationView) => Partial<InvocationView>): Change {
  return {
    invocations: progress.invocations.map((invocation) => (invocation.id === id ? { ...invocation, ...change(invocation) } : invocation)),
  };
}

function moveInvocation(invocation: InvocationView, transition: InvocationView['transitions'][number]): Partial<InvocationView> {
  const isOver = transition.to === 'SUCCEEDED' || transition.to === 'FAILED';
  return {
    state: transition.to,
    attempt: transition.attempt,
    transitions: [...invocation.transitions, transition],
    ...(isOver ? { finishedAt: transition.at } : {}),
  };
}

/** A step that is said again by a later attempt replaces what the earlier one said, announced or not. */
function addPiece(pieces: RunProgress['pieces'], delta: { step: number; attempt: number; text: string }): RunProgress['pieces'] {
  const said = pieces.find(({ step }) => step === delta.step);
  if (!said) return [...pieces, delta].sort((a, b) => a.step - b.step);
  if (delta.attempt < said.attempt) return pieces;
  const text = delta.attempt > said.attempt ? delta.text : said.text + delta.text;
  return pieces.map((piece) => (piece.step === delta.step ? { ...delta, text } : piece));
}

function addThought(
  reasoning: readonly ReasoningPart[],
  { step, text }: { step: number; text: string },
  at: string,
): readonly ReasoningPart[] {
  if (!reasoning.some((part) => part.step === step)) return [...reasoning, { step, text, startedAt: at, endedAt: at }];
  return reasoning.map((part) => (part.step === step ? { ...part, text: part.text + text, endedAt: at } : part));
}

/** What a process that took the run over has told again is there once. */
function addOnce<Part extends { path: string }>(parts: readonly Part[], part: Part): readonly Part[] {
  return parts.some(({ path }) => path === part.path) ? parts : [...parts, part];
}
