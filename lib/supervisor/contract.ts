import { z } from 'zod';
import { usageView } from '#lib/conversations/contract.ts';

/** Shapes of runs and their events as the API and the browser see them. Instants are ISO 8601 in UTC. */
export const runState = z.enum(['QUEUED', 'RUNNING', 'WAITING', 'FINISH_OK', 'FINISH_ERROR', 'TIMEOUT', 'CANCELLED']);
export type RunState = z.infer<typeof runState>;

export const invocationState = z.enum(['REQUESTED', 'ARGUMENTS_VALIDATED', 'EXECUTING', 'RETRY_WAIT', 'SUCCEEDED', 'FAILED']);
export type InvocationState = z.infer<typeof invocationState>;

const jsonObject = z.record(z.string(), z.unknown());

/** A stage of a preset's pipeline. */
export const stageView = z.object({
  id: z.string(),
  title: z.object({ en: z.string(), 'zh-CN': z.string() }),
  /** `skipped`: the pipeline went another way. */
  state: z.enum(['waiting', 'done', 'skipped']),
  /** In the language of the message; '' until it is done. */
  summary: z.string(),
  /** 0 to 1; null where a stage has none. */
  confidence: z.number().nullable(),
  reasons: z.array(z.string()),
});
export type StageView = z.infer<typeof stageView>;

export const planView = z.object({
  intent: z.object({ kind: z.string(), confidence: z.number(), rationale: z.string() }),
  summary: z.string(),
  steps: z.array(z.object({ capabilityId: z.string(), rationale: z.string(), arguments: jsonObject, clause: z.string() })),
  candidates: z.array(z.object({ capabilityId: z.string(), score: z.number(), reasons: z.array(z.string()) })),
  /** Of a run that a preset's pipeline answers: all its stages, first to last. */
  stages: z.array(stageView).optional(),
});
export type PlanView = z.infer<typeof planView>;

export const transitionView = z.object({
  from: invocationState.nullable(),
  to: invocationState,
  at: z.string(),
  reason: z.string(),
  attempt: z.number(),
});

export const invocationView = z.object({
  id: z.string(),
  /** Where in the run: `deterministic_pipeline/0`, `platform_supervisor/m0/t0`. Absent in what is put together from events. */
  path: z.string().optional(),
  step: z.number(),
  capabilityId: z.string(),
  capabilityVersion: z.string().nullable(),
  state: invocationState,
  attempt: z.number(),
  arguments: jsonObject,
  output: jsonObject.nullable(),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  requestedAt: z.string(),
  finishedAt: z.string().nullable(),
  transitions: z.array(transitionView),
});
export type InvocationView = z.infer<typeof invocationView>;

export const runSummaryView = z.object({
  id: z.string(),
  sessionId: z.string(),
  state: runState,
  preset: z.string(),
  /** Who asked. */
  actor: z.object({ userId: z.string(), name: z.string() }),
  /** The first 200 characters of the message. */
  promptHead: z.string(),
  path: z.enum(['deterministic', 'llm']).nullable(),
  stepCount: z.number(),
  callsSucceeded: z.number(),
  callsFailed: z.number(),
  createdAt: z.string(),
  startedAt: z.string().nullable(),
  endedAt: z.string().nullable(),
  durationMs: z.number().nullable(),
  /** How long people were waited for. */
  waitedMs: z.number(),
  /** Of all model calls; 0 where no model took part. */
  totalTokens: z.number(),
  /** Set at the end; null without a price for each model call. */
  cost: z.object({ micros: z.number(), currency: z.string() }).nullable(),
});
export type RunSummaryView = z.infer<typeof runSummaryView>;

export const questionView = z.object({
  id: z.string(),
  kind: z.enum(['unknown-outcome']),
  text: z.string(),
  options: z.array(z.object({ value: z.string(), label: z.string() })),
  state: z.enum(['OPEN', 'ANSWERED', 'WITHDRAWN']),
  answer: z.string().nullable(),
});
export type QuestionView = z.infer<typeof questionView>;

const person = z.object({ userId: z.string(), name: z.string() });

/** A call that somebody has to decide about, or the decision that it got. */
export const approvalView = z.object({
  id: z.string(),
  runId: z.string(),
  sessionId: z.string(),
  invocationId: z.string(),
  capabilityId: z.string(),
  capabilityVersion: z.string(),
  /** What would run: as the call was made, or as somebody has changed it. */
  arguments: jsonObject,
  /** The arguments as the call was made, where somebody has changed them. */
  proposedArguments: jsonObject.nullable(),
  risk: z.enum(['read', 'write', 'destructive']),
  /** Why people are asked: what the call does, a setting of the workspace, or content of others in the run. */
  reason: z.enum(['destructive', 'policy', 'outside-content']),
  /** Four eyes: whoever asked for the run may not allow it. */
  needsOther: z.boolean(),
  state: z.enum(['OPEN', 'APPROVED', 'DENIED', 'EXPIRED', 'WITHDRAWN']),
  requestedBy: person,
  createdAt: z.string(),
  expiresAt: z.string(),
  decidedBy: person.nullable(),
  decidedAt: z.string().nullable(),
  /** Of one that was allowed: for this call, or for calls like it in this session. */
  extent: z.enum(['once', 'session']).nullable(),
  /** What was said with a refusal. */
  note: z.string().nullable(),
});
export type ApprovalView = z.infer<typeof approvalView>;

export const decideApprovalBody = z.discriminatedUnion('decision', [
  z.object({
    decision: z.literal('allow'),
    extent: z.enum(['once', 'session']).default('once'),
    /** Other arguments than the call was made with; checked like any. */
    arguments: jsonObject.optional(),
    /** With `session`: names of the arguments that later calls must have just so. The others are free. */
    sameArguments: z.array(z.string().max(200)).max(100).default([]),
  }),
  z.object({ decision: z.literal('deny'), note: z.string().trim().max(1000).optional() }),
]);
export type DecideApproval = z.infer<typeof decideApprovalBody>;

/** Everything that waits for the reader, the oldest first. */
export const inboxView = z.object({
  approvals: z.array(approvalView.extend({ sessionTitle: z.string(), isOwn: z.boolean() })),
  questions: z.array(questionView.extend({ runId: z.string(), sessionId: z.string(), sessionTitle: z.string(), createdAt: z.string() })),
  /** All of them; the lists end at a hundred. */
  count: z.number(),
});
export type InboxView = z.infer<typeof inboxView>;

/** What somebody has allowed for the rest of a session. */
export const approvalGrantView = z.object({
  id: z.string(),
  sessionId: z.string(),
  sessionTitle: z.string(),
  capabilityId: z.string(),
  capabilityVersion: z.string(),
  sameArguments: jsonObject,
  grantedBy: person,
  createdAt: z.string(),
});
export type ApprovalGrantView = z.infer<typeof approvalGrantView>;
export const approvalGrantPage = z.object({ items: z.array(approvalGrantView) });

/** A task that a run has handed on: a run of its own. */
export const taskView = z.object({
  runId: z.string(),
  sessionId: z.string(),
  /** The call that it was handed on by. */
  invocationId: z.string(),
  /** The first 200 characters of the task. */
  textHead: z.string(),
  state: runState,
});
export type TaskView = z.infer<typeof taskView>;

export const runView = runSummaryView.extend({
  message: z.string(),
  messageId: z.string(),
  /** The message that the request follows; null for the first of a session. */
  parentId: z.string().nullable(),
  /** Why this path was taken and the other was not: a code for the interface, a sentence for a person. */
  pathReason: z.object({ code: z.string(), text: z.string() }).nullable(),
  graph: z.string().nullable(),
  ontologyRevision: z.string().nullable(),
  plan: planView.nullable(),
  answer: z.string().nullable(),
  /** Of all model calls; null when no model took part. */
  usage: usageView.nullable(),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  /** Runs of the same session that stand before this one. */
  queuePlace: z.number(),
  question: questionView.nullable(),
  /** The calls that somebody has to decide about, or has. */
  approvals: z.array(approvalView),
  invocations: z.array(invocationView),
  /** The run that handed this one its task; null where a person or a program asked. */
  parentRunId: z.string().nullable(),
  tasks: z.array(taskView),
  /** How often a process has taken the run on; more than 1 means it outlived a process. */
  epoch: z.number(),
  lastSeq: z.number(),
});
export type RunView = z.infer<typeof runView>;

/**
 * One entry of a run's event log. `seq` rises by one per run; an SSE frame carries it as `id:` and the type as `event:`.
 *
 * type                     payload
 * UserPromptSubmitted      {messageId, text}
 * run-state                {from, to, reason}
 * SUPERVISOR_RUN_START     {message, preset, ontology_revision}
 * path-chosen              {path, graph, code, text}
 * AgentPlanProposed        planView
 * stage-completed          stageView: a stage of the plan is done
 * ToolInvocationRequested  {invocationId, step, capabilityId, arguments}
 * invocation-state         {invocationId, from, to, reason, attempt}
 * tool-progress            {invocationId, progress, total, message}: how far a call has come; total and message may be null, the words are the tool's
 * ToolExecuted             {invocationId, step, capabilityId, ok, durationMs, error?: {code, message}}
 * ToolResultAccepted       {invocationId, step, output}
 * question-asked           questionView
 * question-answered        {questionId, answer, by}
 * approval-requested       approvalView
 * approval-decided         {approvalId, state, by: {userId, name} | null, at, extent, note, arguments?: those that somebody has changed}
 * STREAM_START             {message}
 * text-delta               {step, attempt, text}
 * text-reset               {step, attempt}: drop the text of this step; it is said again
 * reasoning-delta          {step, text}: what the model thinks aloud; never part of the answer
 * context-assembled        {path, agentId, fragments: [{contributor, order, namespace, key, value, isOverridden}]}
 * model-call               {path, agentId, provider, model, attempts, durationMs, firstPartMs, finishReason, toolCalls, usage, cost, scene, context}
 * budget-soft-limit        {budgetId, subject, measure, currency, period, used, reserved, softLimit, hardLimit, endsAt}: from here on answers are concise
 * budget-refused           as budget-soft-limit, with {path, agentId, message}: the model was not called
 * conversation-compacted   {path, agentId, source, summary, progress, turns, stepCount, tokensBefore, tokensAfter}
 * tasks-started            {invocationId, tasks: [{runId, sessionId, text}]}: the run waits for them
 * handoff                  {path, from, to, task}
 * handoff-answered         {path, agent, text}
 * ModelResponseProduced    {text}: the whole answer
 * AgentTurnCompleted       {runId}
 * RUN_FINISH               {terminal: OK | EMPTY_STATE}
 * RUN_TIMEOUT              {ms}
 * RUN_ERROR                {error}
 * RUN_CANCELLED            {by, afterStep, sideEffects, cutOff}
 * STREAM_DONE              {terminal}
 */
export const runEventView = z.object({
  runId: z.string(),
  seq: z.number(),
  type: z.string(),
  at: z.string(),
  payload: jsonObject,
});
export type RunEventView = z.infer<typeof runEventView>;

/** The event types that the log may hold. */
export const RUN_EVENT_TYPES = [
  'UserPromptSubmitted',
  'run-state',
  'SUPERVISOR_RUN_START',
  'path-chosen',
  'AgentPlanProposed',
  'stage-completed',
  'ToolInvocationRequested',
  'invocation-state',
  'tool-progress',
  'ToolExecuted',
  'ToolResultAccepted',
  'question-asked',
  'question-answered',
  'approval-requested',
  'approval-decided',
  'STREAM_START',
  'text-delta',
  'text-reset',
  'reasoning-delta',
  'context-assembled',
  'model-call',
  'budget-soft-limit',
  'budget-refused',
  'conversation-compacted',
  'tasks-started',
  'handoff',
  'handoff-answered',
  'ModelResponseProduced',
  'AgentTurnCompleted',
  'RUN_FINISH',
  'RUN_TIMEOUT',
  'RUN_ERROR',
  'RUN_CANCELLED',
  'STREAM_DONE',
] as const;
export type RunEventType = (typeof RUN_EVENT_TYPES)[number];

/** The last event but one of a run's stream, and what `?wait=true` answers (requirement P-25). */
export const supervisorResult = z.object({
  sessionId: z.string(),
  preset: z.string(),
  terminal: z.string(),
  snapshot: z.object({
    runId: z.string(),
    echo: z.string(),
    pipeline_trace: z.array(z.object({ capabilityId: z.string(), rationale: z.string(), output: z.unknown() })),
    execution_plan: z.object({ intent: z.unknown(), summary: z.string() }).nullable(),
    ontology_revision: z.string().nullable(),
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
  }),
});
export type SupervisorResult = z.infer<typeof supervisorResult>;

export const runListQuery = z.object({
  state: z.union([runState, z.array(runState)]).optional(),
  session: z.string().optional(),
  actor: z.string().optional(),
  preset: z.string().optional(),
  capability: z.string().optional(),
  /** Whether a model took part. */
  path: z.enum(['deterministic', 'llm']).optional(),
  /** Words that must all occur in the message; the last one may be the beginning of a word. */
  q: z.string().max(200).optional(),
  from: z.iso.datetime({ offset: true }).optional(),
  to: z.iso.datetime({ offset: true }).optional(),
  /** In the currency the run was paid in, `0.25`. Runs without a known cost match neither. */
  minCost: z.coerce.number().min(0).max(1e9).optional(),
  maxCost: z.coerce.number().min(0).max(1e9).optional(),
  /** Milliseconds from the start of work to the end. Runs that go on match neither. */
  minMs: z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER).optional(),
  maxMs: z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER).optional(),
  /** Only what has begun after this run: what a list that is open has not seen. */
  after: z.string().optional(),
  cursor: z.string().optional(),
  limit: z.coerce.number().int().min(1).max(100).default(50),
});
export type RunListQuery = z.infer<typeof runListQuery>;

/** What each value of a dimension would find beside the other filters, the most frequent first. */
const facet = z.array(z.object({ value: z.string(), count: z.number() }));
export const runFacets = z.object({
  state: facet,
  preset: facet,
  path: facet,
  /** By user id; with the name. */
  actor: z.array(z.object({ value: z.string(), count: z.number(), name: z.string() })),
  /** Runs that match all filters. */
  total: z.number(),
  /** Only the newest runs were counted: each count is "at least". */
  isApproximate: z.boolean(),
});
export type RunFacets = z.infer<typeof runFacets>;

export const runPage = z.object({ items: z.array(runSummaryView), nextCursor: z.string().nullable() });
export type RunPage = z.infer<typeof runPage>;

/** Where a run stands in the line before the places of the deployment, 1: next; null when it does not wait for one. */
export const queuePlaceView = z.object({ place: z.number().nullable() });
export type QueuePlaceView = z.infer<typeof queuePlaceView>;

export const answerQuestionBody = z.object({ questionId: z.string(), answer: z.string().min(1).max(4000) });
