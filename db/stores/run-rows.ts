import type { Row } from 'postgres';
import { z } from 'zod';
import type { ModelResponse } from '#lib/agents/index.ts';
import type { InvocationRecord } from '#lib/capabilities/index.ts';
import { fromUuid, type JsonObject } from '#lib/kernel/index.ts';
import { type ExecutionPlan, executionPlan, type Question, type Run, type RunRecords, runState } from '#lib/supervisor/index.ts';
import { toApproval, toApprovalPolicy } from './approval-rows.ts';

/** Rows are parsed here and never leave `db/` raw (requirement P-28). */
const jsonObject: z.ZodType<JsonObject> = z.record(z.string(), z.json());

const runRow = z.object({
  tenant_id: z.string(),
  id: z.string(),
  session_id: z.string(),
  user_id: z.string(),
  api_key_id: z.string().nullable(),
  message_id: z.string(),
  preset: z.string(),
  input: z.string(),
  locale: z.enum(['en', 'zh-CN']),
  time_zone: z.string(),
  state: runState,
  path: z.enum(['deterministic', 'llm']).nullable(),
  graph: z.string().nullable(),
  path_reason_code: z.string().nullable(),
  path_reason_text: z.string().nullable(),
  ontology_revision: z.string().nullable(),
  plan: executionPlan.nullable(),
  answer: z.string().nullable(),
  error_code: z.string().nullable(),
  error_message: z.string().nullable(),
  epoch: z.number(),
  segment: z.number(),
  event_seq: z.number(),
  step_count: z.number(),
  calls_succeeded: z.number(),
  calls_failed: z.number(),
  worked_ms: z.coerce.number(),
  time_limit_ms: z.number(),
  cancel_requested_at: z.date().nullable(),
  cancel_requested_by: z.string().nullable(),
  created_at: z.date(),
  started_at: z.date().nullable(),
  ended_at: z.date().nullable(),
  parent_run_id: z.string().nullish(),
  root_run_id: z.string().nullish(),
  root_session_id: z.string().nullish(),
});

export function toRun(row: Row): Run {
  const run = runRow.parse(row);
  return {
    id: fromUuid('run', run.id),
    tenantId: fromUuid('tenant', run.tenant_id),
    sessionId: fromUuid('session', run.session_id),
    userId: fromUuid('user', run.user_id),
    apiKeyId: run.api_key_id ? fromUuid('apiKey', run.api_key_id) : null,
    messageId: fromUuid('message', run.message_id),
    preset: run.preset,
    input: run.input,
    locale: run.locale,
    timeZone: run.time_zone,
    state: run.state,
    path: run.path,
    graph: run.graph,
    pathReason: run.path_reason_code ? { code: run.path_reason_code, text: run.path_reason_text ?? '' } : null,
    ontologyRevision: run.ontology_revision,
    plan: run.plan as ExecutionPlan | null,
    answer: run.answer,
    error: run.error_code ? { code: run.error_code, message: run.error_message ?? '' } : null,
    epoch: run.epoch,
    segment: run.segment,
    eventSeq: run.event_seq,
    stepCount: run.step_count,
    callsSucceeded: run.calls_succeeded,
    callsFailed: run.calls_failed,
    workedMs: run.worked_ms,
    timeLimitMs: run.time_limit_ms,
    cancelRequestedAt: run.cancel_requested_at,
    cancelRequestedBy: run.cancel_requested_by ? fromUuid('user', run.cancel_requested_by) : null,
    createdAt: run.created_at,
    startedAt: run.started_at,
    endedAt: run.ended_at,
    parentRunId: run.parent_run_id ? fromUuid('run', run.parent_run_id) : null,
    rootRunId: fromUuid('run', run.root_run_id ?? run.id),
    rootSessionId: fromUuid('session', run.root_session_id ?? run.session_id),
  };
}

const invocationRow = z.object({
  id: z.string(),
  path: z.string(),
  step: z.number(),
  capability_id: z.string(),
  capability_version: z.string().nullable(),
  state: z.enum(['REQUESTED', 'ARGUMENTS_VALIDATED', 'EXECUTING', 'RETRY_WAIT', 'SUCCEEDED', 'FAILED']),
  attempt: z.number(),
  arguments: jsonObject,
  arguments_hash: z.string(),
  idempotency_key: z.string(),
  result: z.object({ output: jsonObject, text: z.string() }).nullable(),
  error_code: z.string().nullable(),
  error_message: z.string().nullable(),
  requested_at: z.date(),
  finished_at: z.date().nullable(),
});

export function toInvocation(row: Row): InvocationRecord {
  const invocation = invocationRow.parse(row);
  return {
    id: fromUuid('invocation', invocation.id),
    path: invocation.path,
    step: invocation.step,
    capabilityId: invocation.capability_id,
    capabilityVersion: invocation.capability_version,
    state: invocation.state,
    attempt: invocation.attempt,
    arguments: invocation.arguments,
    argumentsHash: invocation.arguments_hash,
    idempotencyKey: invocation.idempotency_key,
    result: invocation.result,
    error: invocation.error_code ? { code: invocation.error_code, message: invocation.error_message ?? '' } : null,
    requestedAt: invocation.requested_at,
    finishedAt: invocation.finished_at,
  };
}

const questionRow = z.object({
  id: z.string(),
  run_id: z.string(),
  invocation_id: z.string().nullable(),
  kind: z.literal('unknown-outcome'),
  text: z.string(),
  options: z.array(z.object({ value: z.string(), label: z.string() })),
  state: z.enum(['OPEN', 'ANSWERED', 'WITHDRAWN']),
  answer: z.string().nullable(),
  /** Read for a driver alone. */
  repeats_granted: z.number().optional(),
});

export function toQuestion(row: Row): Question {
  const question = questionRow.parse(row);
  return {
    id: fromUuid('question', question.id),
    runId: fromUuid('run', question.run_id),
    invocationId: question.invocation_id ? fromUuid('invocation', question.invocation_id) : null,
    kind: question.kind,
    text: question.text,
    options: question.options,
    state: question.state,
    answer: question.answer,
    ...(question.repeats_granted !== undefined && { repeatsGranted: question.repeats_granted }),
  };
}

const assistantPart = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('reasoning'), text: z.string(), provider: z.string(), attached: jsonObject.nullable() }),
  z.object({ type: z.literal('tool-call'), callId: z.string(), toolName: z.string(), arguments: jsonObject }),
]);

const modelCallRow = z.object({
  path: z.string(),
  response: z.object({
    content: z.array(assistantPart),
    calls: z.array(z.object({ callId: z.string(), toolName: z.string(), argumentsText: z.string() })),
    finishReason: z.enum(['stop', 'tool-calls', 'length', 'refusal', 'interrupted', 'unknown']),
    rawReason: z.string().nullable(),
  }),
  input_tokens: z.number(),
  cached_input_tokens: z.number(),
  cache_write_tokens: z.number(),
  output_tokens: z.number(),
  reasoning_tokens: z.number(),
  is_estimated: z.boolean(),
});

function toModelResponse(row: Row): [string, ModelResponse] {
  const call = modelCallRow.parse(row);
  return [
    call.path,
    {
      ...call.response,
      usage: {
        inputTokens: call.input_tokens,
        cachedInputTokens: call.cached_input_tokens,
        cacheWriteTokens: call.cache_write_tokens,
        outputTokens: call.output_tokens,
        reasoningTokens: call.reasoning_tokens,
        isEstimated: call.is_estimated,
      },
    },
  ];
}

const nodeRow = z.object({ path: z.string(), output: jsonObject });
const shownRow = z.object({ step: z.number(), text: z.string() });

export function toShownText(rows: readonly Row[]): RunRecords['shownText'] {
  return new Map(rows.map((row) => shownRow.parse(row)).map(({ step, text }) => [step, { text }]));
}

export function readRunRecords(rows: {
  row: Row;
  nodes: readonly Row[];
  invocations: readonly Row[];
  question: Row | undefined;
  shown: readonly Row[];
  modelCalls: readonly Row[];
  approvals: readonly Row[];
  policies: readonly Row[];
}): RunRecords {
  return {
    run: toRun(rows.row),
    nodes: new Map(rows.nodes.map((row) => nodeRow.parse(row)).map(({ path, output }) => [path, output])),
    invocations: new Map(rows.invocations.map(toInvocation).map((invocation) => [invocation.path, invocation])),
    question: rows.question ? toQuestion(rows.question) : null,
    approvals: new Map(rows.approvals.map(toApproval).map((approval) => [approval.invocationId, approval])),
    policies: new Map(rows.policies.map(toApprovalPolicy).map((policy) => [policy.capabilityId, policy])),
    modelCalls: new Map(rows.modelCalls.map(toModelResponse)),
    shownText: toShownText(rows.shown),
  };
}
