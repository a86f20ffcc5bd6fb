import type { Sql } from 'postgres';
import { fromUuid } from '#lib/kernel/index.ts';
import type {
  Outcome,
  OutcomeApproval,
  OutcomeAudit,
  OutcomeEvent,
  OutcomeInvocation,
  OutcomeMemory,
  OutcomeMessage,
  OutcomeModelCall,
  OutcomeQuestion,
  OutcomeRun,
  OutcomeTransition,
} from './outcome.ts';

/** Everything about the runs of one point, as the owner of the database sees it. */
export async function readOutcome(sql: Sql): Promise<Omit<Outcome, 'effects' | 'asks'>> {
  const [
    runs,
    events,
    invocations,
    transitions,
    messages,
    memory,
    questions,
    audit,
    openSegments,
    modelCalls,
    approvals,
    compactions,
    budgets,
  ] = await Promise.all([
    sql<OutcomeRun[]>`
      select id, session_id as "sessionId", state, idempotency_key as "idempotencyKey", parent_run_id as "parentRunId", input, answer, error_message as error, event_seq as "eventSeq", epoch,
        ${ms(sql, 'created_at')} as "createdAtMs", ${ms(sql, 'started_at')} as "startedAtMs", ${ms(sql, 'ended_at')} as "endedAtMs"
      from run order by id`,
    sql<OutcomeEvent[]>`select run_id as "runId", seq, type, ${ms(sql, 'at')} as "atMs", payload from run_event order by run_id, seq`,
    sql<OutcomeInvocation[]>`
      select id, run_id as "runId", step, capability_id as "capabilityId", state, attempt, arguments->>'label' as label from invocation order by run_id, step`,
    sql<OutcomeTransition[]>`
      select invocation_id as "invocationId", seq, from_state as "from", to_state as "to", attempt from invocation_transition order by invocation_id, seq`,
    sql<OutcomeMessage[]>`select run_id as "runId", role, text from message order by id`,
    sql<OutcomeMemory[]>`
      select run_id as "runId", session_id as "sessionId", turn_seq as "turnSeq", role, content from agent_conversation_message order by session_id, turn_seq, role desc`,
    sql<OutcomeQuestion[]>`select id, run_id as "runId", invocation_id as "invocationId", kind, state, answer from question order by id`,
    sql<OutcomeAudit[]>`
      select run_id as "runId", type, payload::jsonb->'details'->>'invocationId' as "invocationId", target_id as "targetId" from audit_event where run_id is not null order by id`,
    sql<Outcome['openSegments'][number][]>`
      select workflow_uuid as id, status from dbos.workflow_status where status in ('ENQUEUED', 'PENDING')`,
    sql<OutcomeModelCall[]>`
      select run_id as "runId", path, input_tokens + cached_input_tokens + cache_write_tokens + output_tokens + reasoning_tokens as tokens
      from model_call order by run_id, path`,
    sql<OutcomeApproval[]>`select id, run_id as "runId", invocation_id as "invocationId", state from approval order by id`,
    sql<Outcome['compactions'][number][]>`select run_id as "runId", path from conversation_summary order by run_id, path`,
    sql<Outcome['budgets'][]>`
      select coalesce(sum(used), 0)::int as used, (
        select count(*)::int from budget_hold h join run r on r.tenant_id = h.tenant_id and r.id = h.run_id where r.state <> 'RUNNING') as "leftHeld"
      from budget_use`,
  ]);
  return {
    runs: runs.map((run) => ({
      ...run,
      id: fromUuid('run', run.id),
      sessionId: fromUuid('session', run.sessionId),
      parentRunId: run.parentRunId === null ? null : fromUuid('run', run.parentRunId),
    })),
    events: events.map(withRunId),
    invocations: invocations.map((call) => ({ ...withRunId(call), id: fromUuid('invocation', call.id) })),
    transitions: transitions.map((move) => ({ ...move, invocationId: fromUuid('invocation', move.invocationId) })),
    messages: messages.map(withRunId),
    memory: memory.map((row) => ({ ...withRunId(row), sessionId: fromUuid('session', row.sessionId) })),
    questions: questions.map((question) => ({
      ...withRunId(question),
      id: fromUuid('question', question.id),
      invocationId: question.invocationId === null ? null : fromUuid('invocation', question.invocationId),
    })),
    audit: audit.map((row) => ({ ...row, runId: row.runId === null ? null : fromUuid('run', row.runId) })),
    openSegments: [...openSegments],
    modelCalls: modelCalls.map(withRunId),
    approvals: approvals.map((approval) => ({
      ...withRunId(approval),
      id: fromUuid('approval', approval.id),
      invocationId: approval.invocationId === null ? null : fromUuid('invocation', approval.invocationId),
    })),
    compactions: compactions.map(withRunId),
    budgets: budgets[0] ?? { leftHeld: 0, used: 0 },
  };
}

/** How the point stands, cheaply enough to be asked often. */
export async function readProgress(sql: Sql): Promise<{ moving: number; waiting: number; openSegments: number }> {
  const [row] = await sql<{ moving: number; waiting: number; openSegments: number }[]>`
    select
      -- One that waits and asks nobody waits for its tasks, or for somebody to see that they have ended.
      (select count(*)::int from run r where state in ('QUEUED', 'RUNNING')
        or (state = 'WAITING'
          and not exists (select from question q where q.tenant_id = r.tenant_id and q.run_id = r.id and q.state = 'OPEN')
          and not exists (select from approval a where a.tenant_id = r.tenant_id and a.run_id = r.id and a.state = 'OPEN'))) as moving,
      (select count(*)::int from run where state = 'WAITING') as waiting,
      (select count(*)::int from dbos.workflow_status where status in ('ENQUEUED', 'PENDING')) as "openSegments"`;
  return row ?? { moving: 0, waiting: 0, openSegments: 0 };
}

function ms(sql: Sql, column: string) {
  return sql`(extract(epoch from ${sql(column)}) * 1000)::float8`;
}

function withRunId<Row extends { readonly runId: string }>(row: Row): Row {
  return { ...row, runId: fromUuid('run', row.runId) };
}
