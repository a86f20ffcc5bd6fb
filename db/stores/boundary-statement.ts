import type { Row, Sql, TransactionSql } from 'postgres';
import { z } from 'zod';
import type { AuditRecord } from '#lib/audit/index.ts';
import { storableJson, toUuid } from '#lib/kernel/index.ts';
import { type Boundary, type CommittedWrite, isTerminal, type PricedModelCall, type RunKey } from '#lib/supervisor/index.ts';
import { settleBudgets, settlesBudgets } from './budget-settlement.ts';
import { noticesOf } from './notice-rows.ts';
import { RUN_CHANNEL } from './run-event-bus.ts';

/**
 * The boundary as one statement, which tells the readers of every process `notice`. It yields the sequence number of its first event
 * and, where it moved the session, how, and what the run's models have used until then; or no row when the fence refused it, and
 * then nothing was written: every insert selects from the fenced row. Sets of rows travel as one JSON document, and the
 * statement has the parts for which there is something: a table that is named is opened with all its indexes, whether a row
 * is written or not. Boundaries are of a few kinds, so each statement stays prepared.
 */
export function writeStatement(tx: Sql | TransactionSql, key: RunKey, boundary: Boundary, audit: readonly AuditRecord[], notice: string) {
  const notices = noticesOf(boundary);
  const document = JSON.stringify(storableJson({ ...toDocument(boundary, audit), notices }));
  const none = tx``;
  // Asked where somebody is told of it: when a run that may have used a model ends or waits.
  const hasUsedModels = boundary.session !== undefined && boundary.run?.state !== undefined && boundary.run.path !== 'deterministic';
  return tx`
    with given as (select ${document}::text::jsonb as d),
    fenced as (
      update run set
        state = coalesce(d->'run'->>'state', state),
        path = coalesce(d->'run'->>'path', path),
        graph = coalesce(d->'run'->>'graph', graph),
        path_reason_code = coalesce(d->'run'->'pathReason'->>'code', path_reason_code),
        path_reason_text = coalesce(d->'run'->'pathReason'->>'text', path_reason_text),
        ontology_revision = coalesce(d->'run'->>'ontologyRevision', ontology_revision),
        plan = coalesce(d->'run'->'plan', plan),
        answer = coalesce(d->'run'->>'answer', answer),
        error_code = coalesce(d->'run'->'error'->>'code', error_code),
        error_message = coalesce(d->'run'->'error'->>'message', error_message),
        step_count = coalesce((d->'run'->>'stepCount')::int, step_count),
        calls_succeeded = coalesce((d->'run'->>'callsSucceeded')::int, calls_succeeded),
        calls_failed = coalesce((d->'run'->>'callsFailed')::int, calls_failed),
        worked_ms = coalesce((d->'run'->>'workedMs')::bigint, worked_ms),
        ended_at = coalesce((d->'run'->>'endedAt')::timestamptz, ended_at),
        ${
          boundary.run?.endedAt
            ? tx`(cost_micros, cost_currency) = (
          select case when count(*) = count(cost) and count(distinct currency) = 1 then sum(cost) end, min(currency)
          from (
            select path, cost_micros as cost, currency from model_call m
            where m.tenant_id = run.tenant_id and m.run_id = run.id
            union
            select c->>'path', (c->'cost'->>'micros')::bigint, c->'cost'->>'currency'
            from jsonb_array_elements(d->'modelCalls') as c
          ) as paid
        ),`
            : none
        }
        event_seq = event_seq + jsonb_array_length(d->'events')
      from given
      where tenant_id = ${toUuid(key.tenantId)} and id = ${toUuid(key.runId)} and epoch = ${key.epoch}
        and state in ('QUEUED', 'RUNNING', 'WAITING')
        and (cancel_requested_at is null or not coalesce((d->>'refuseWhenCancelled')::boolean, false))
      returning run.tenant_id, run.id, run.session_id, run.user_id, run.message_id, event_seq - jsonb_array_length(d->'events') as base
    )
    ${
      some(boundary.events)
        ? tx`, events as (
      insert into run_event (tenant_id, run_id, seq, type, at, payload)
      select f.tenant_id, f.id, f.base + e.ord, e.item->>'type', (e.item->>'at')::timestamptz, e.item->'payload'
      from fenced f, given, jsonb_array_elements(d->'events') with ordinality as e(item, ord)
    )`
        : none
    }
    ${
      some(audit)
        ? tx`, audits as (
      insert into audit_event (tenant_id, id, at, type, actor_kind, actor_id, target_kind, target_id, run_id, payload, hash)
      select f.tenant_id, (a->>'id')::uuid, (a->>'at')::timestamptz, a->>'type', a->>'actorKind', a->>'actorId', a->>'targetKind', a->>'targetId', f.id, a->>'payload', a->>'hash'
      from fenced f, given, jsonb_array_elements(d->'audit') as a
    )`
        : none
    }
    ${
      some(boundary.invocations)
        ? tx`, calls as (
      insert into invocation (tenant_id, id, run_id, path, step, capability_id, capability_version, state, attempt, arguments, arguments_hash, idempotency_key, result, error_code, error_message, requested_at, finished_at)
      select f.tenant_id, (i->>'id')::uuid, f.id, i->>'path', (i->>'step')::int, i->>'capabilityId', i->>'capabilityVersion', i->>'state', (i->>'attempt')::int, i->'arguments', i->>'argumentsHash', i->>'idempotencyKey', nullif(i->'result', 'null'::jsonb), i->'error'->>'code', i->'error'->>'message', (i->>'requestedAt')::timestamptz, (i->>'finishedAt')::timestamptz
      from fenced f, given, jsonb_array_elements(d->'invocations') as i
      on conflict (tenant_id, run_id, path) do update set
        capability_version = excluded.capability_version, arguments_hash = excluded.arguments_hash,
        state = excluded.state, attempt = excluded.attempt, result = excluded.result,
        error_code = excluded.error_code, error_message = excluded.error_message, finished_at = excluded.finished_at
    )`
        : none
    }
    ${
      some(boundary.transitions)
        ? tx`, moves as (
      insert into invocation_transition (tenant_id, invocation_id, seq, from_state, to_state, attempt, reason, at)
      select f.tenant_id, (t->>'invocationId')::uuid, (t->>'seq')::int, t->>'from', t->>'to', (t->>'attempt')::int, t->>'reason', (t->>'at')::timestamptz
      from fenced f, given, jsonb_array_elements(d->'transitions') as t
    )`
        : none
    }
    ${
      some(boundary.nodes)
        ? tx`, nodes as (
      insert into node_record (tenant_id, run_id, path, output)
      select f.tenant_id, f.id, n->>'path', n->'output' from fenced f, given, jsonb_array_elements(d->'nodes') as n
      on conflict (tenant_id, run_id, path) do nothing
    )`
        : none
    }
    ${
      some(boundary.modelCalls)
        ? tx`, model_calls as (
      insert into model_call (tenant_id, run_id, path, agent_id, provider, model, scene, context, response, input_tokens, cached_input_tokens, cache_write_tokens, output_tokens, reasoning_tokens, is_estimated, cost_micros, currency, attempts, first_part_ms, duration_ms, started_at)
      select f.tenant_id, f.id, c->>'path', c->>'agentId', c->>'provider', c->>'model', c->>'scene', nullif(c->'context', 'null'::jsonb), c->'response', (c->'usage'->>'inputTokens')::int, (c->'usage'->>'cachedInputTokens')::int, (c->'usage'->>'cacheWriteTokens')::int, (c->'usage'->>'outputTokens')::int, (c->'usage'->>'reasoningTokens')::int, (c->'usage'->>'isEstimated')::boolean, (c->'cost'->>'micros')::bigint, c->'cost'->>'currency', (c->>'attempts')::int, (c->>'firstPartMs')::int, (c->>'durationMs')::int, (c->>'startedAt')::timestamptz
      from fenced f, given, jsonb_array_elements(d->'modelCalls') as c
      on conflict (tenant_id, run_id, path) do nothing
    )`
        : none
    }
    ${settlesBudgets(boundary) ? settleBudgets(tx, key) : none}
    ${
      some(boundary.compactions)
        ? tx`, summaries as (
      insert into conversation_summary (tenant_id, session_id, run_id, path, agent_id, through_turn_seq, through_run_id, summary, progress, source, turns, step_count, tokens_before, tokens_after)
      select f.tenant_id, f.session_id, f.id, c->>'path', c->>'agentId', (c->>'throughTurnSeq')::int, (c->>'throughRunId')::uuid, c->>'summary', c->>'progress', c->>'source', c->'turns', (c->>'stepCount')::int, (c->>'tokensBefore')::int, (c->>'tokensAfter')::int
      from fenced f, given, jsonb_array_elements(d->'compactions') as c
      on conflict (tenant_id, run_id, path) do nothing
    )`
        : none
    }
    ${
      boundary.question
        ? tx`, asked as (
      insert into question (tenant_id, id, run_id, invocation_id, kind, text, options, state)
      select f.tenant_id, (q->>'id')::uuid, f.id, (q->>'invocationId')::uuid, q->>'kind', q->>'text', q->'options', q->>'state'
      from fenced f, given, lateral (select d->'question' as q) as question
    )`
        : none
    }
    ${
      some(boundary.approvals)
        ? tx`, approvals as (
      insert into approval (tenant_id, id, run_id, invocation_id, capability_id, capability_version, arguments, arguments_hash, risk, reason, needs_other, state, requested_by, expires_at)
      select f.tenant_id, (p->>'id')::uuid, f.id, (p->>'invocationId')::uuid, p->>'capabilityId', p->>'capabilityVersion', p->'arguments', p->>'argumentsHash', p->>'risk', p->>'reason', (p->>'needsOther')::boolean, p->>'state', f.user_id, clock_timestamp() + make_interval(secs => (p->>'windowMs')::float8 / 1000)
      from fenced f, given, jsonb_array_elements(d->'approvals') as p
    )`
        : none
    }
    ${
      some(notices)
        ? tx`, notices as (
      insert into notice (tenant_id, id, kind, key, subject_id, run_id, user_id, details)
      select f.tenant_id, (n->>'id')::uuid, n->>'kind',
        n->>'key' || case n->>'keyOf' when 'user' then f.user_id::text when 'session' then f.session_id::text else '' end,
        (n->>'subjectId')::uuid, f.id, f.user_id, nullif(n->'details', 'null'::jsonb)
      from fenced f, given, jsonb_array_elements(d->'notices') as n
      on conflict (tenant_id, key) do nothing
    )`
        : none
    }
    ${
      boundary.session
        ? tx`, session_before as (
      select s.tenant_id, s.id, s.state from agent_session s, fenced f
      where s.tenant_id = ${toUuid(key.tenantId)} and s.id = ${toUuid(key.sessionId)}
      for update of s
    ),
    session_entries as (
      select row_number() over (order by e.ord)::int as ord, e.item->>'type' as type,
        case when e.ord = first_move.ord then jsonb_set(e.item->'payload', '{from}', to_jsonb(b.state)) else e.item->'payload' end as payload
      from session_before b, given, jsonb_array_elements(d->'session'->'events') with ordinality as e(item, ord), (
        select min(m.ord) as ord from given, jsonb_array_elements(d->'session'->'events') with ordinality as m(item, ord) where m.item->>'type' = 'session-state'
      ) as first_move
      where e.item->>'type' <> 'session-state'
        or b.state not in ('COMPLETED', 'FAILED', 'CANCELLED') and not (e.ord = first_move.ord and e.item->'payload'->>'to' = b.state)
    ),
    session as (
      update agent_session s set
        state = coalesce((select payload->>'to' from session_entries where type = 'session-state' order by ord desc limit 1), s.state),
        event_seq = s.event_seq + (select count(*)::int from session_entries),
        turn_seq = s.turn_seq + case when d->'exchange' <> 'null'::jsonb then 1 else 0 end,
        updated_at = now()
      from session_before b, given
      where s.tenant_id = b.tenant_id and s.id = b.id
      returning s.tenant_id, s.id, s.turn_seq, s.event_seq - (select count(*)::int from session_entries) as base
    ),
    session_events as (
      insert into session_event (tenant_id, session_id, seq, type, payload)
      select s.tenant_id, s.id, s.base + e.ord, e.type, e.payload from session s, session_entries e
    )`
        : none
    }
    ${
      boundary.message
        ? tx`, answers as (
      insert into message (tenant_id, id, session_id, run_id, parent_id, role, text, state)
      select f.tenant_id, (m->>'id')::uuid, f.session_id, f.id, f.message_id, 'assistant', m->>'text', m->>'state'
      from fenced f, given, lateral (select d->'message' as m) as message
    )`
        : none
    }
    ${
      boundary.session && boundary.exchange
        ? tx`, memory as (
      insert into agent_conversation_message (tenant_id, session_id, agent_id, turn_seq, role, content, metadata, run_id)
      select s.tenant_id, s.id, d->'exchange'->>'agentId', s.turn_seq, r.role, d->'exchange'->>r.key, '{}'::jsonb, f.id
      from session s, fenced f, given, (values ('USER', 'user'), ('ASSISTANT', 'assistant')) as r(role, key)
    )`
        : none
    }
    select base + 1 as first_seq, pg_notify(${RUN_CHANNEL}, ${notice})
      ${boundary.session ? tx`, (select jsonb_agg(payload order by ord) from session_entries where type = 'session-state') as moves` : none}
      ${hasUsedModels ? tx`, ${usedTokens(tx)} as tokens` : none}
    from fenced, given`;
}

/** Of the run's model calls, those of this boundary included. */
function usedTokens(tx: Sql | TransactionSql) {
  return tx`(
        select jsonb_build_object('input', coalesce(sum(input), 0), 'output', coalesce(sum(output), 0)) from (
          select path, input_tokens + cached_input_tokens + cache_write_tokens as input, output_tokens + reasoning_tokens as output
          from model_call m where m.tenant_id = fenced.tenant_id and m.run_id = fenced.id
          union
          select c->>'path', (c->'usage'->>'inputTokens')::int + (c->'usage'->>'cachedInputTokens')::int + (c->'usage'->>'cacheWriteTokens')::int,
            (c->'usage'->>'outputTokens')::int + (c->'usage'->>'reasoningTokens')::int
          from jsonb_array_elements(d->'modelCalls') as c
        ) as used
      )`;
}

const committed = z.object({
  moves: z.array(z.object({ from: z.string(), to: z.string(), reason: z.string() })).nullish(),
  tokens: z.object({ input: z.number(), output: z.number() }).nullish(),
});

/** What the row of `writeStatement` says beside the sequence number. */
export function toCommittedWrite({ tenantId, sessionId, runId }: Omit<RunKey, 'epoch'>, boundary: Boundary, row: Row): CommittedWrite {
  const { moves, tokens } = committed.parse(row);
  const state = boundary.run?.state;
  return {
    tenantId,
    sessionId,
    runId,
    moves: moves ?? [],
    tokenUsage: tokens ?? { input: 0, output: 0 },
    terminal: state && isTerminal(state) ? state : null,
  };
}

function some(rows: readonly unknown[] | undefined): boolean {
  return (rows?.length ?? 0) > 0;
}

function toDocument(boundary: Boundary, audit: readonly AuditRecord[]) {
  return {
    run: boundary.run ?? {},
    refuseWhenCancelled: boundary.refuseWhenCancelled ?? false,
    events: (boundary.events ?? []).map(({ type, at, payload }) => ({ type, at, payload })),
    audit: audit.map(toAuditRow),
    invocations: (boundary.invocations ?? []).map((invocation) => ({ ...invocation, id: toUuid(invocation.id) })),
    transitions: (boundary.transitions ?? []).map((move) => ({ ...move, invocationId: toUuid(move.invocationId) })),
    nodes: boundary.nodes ?? [],
    modelCalls: (boundary.modelCalls ?? []).map(toModelCallRow),
    compactions: (boundary.compactions ?? []).map((compaction) => ({
      ...compaction,
      throughRunId: compaction.throughRunId === null ? null : toUuid(compaction.throughRunId),
    })),
    question: boundary.question
      ? {
          ...boundary.question,
          id: toUuid(boundary.question.id),
          invocationId: boundary.question.invocationId ? toUuid(boundary.question.invocationId) : null,
        }
      : null,
    approvals: (boundary.approvals ?? []).map((approval) => ({
      ...approval,
      id: toUuid(approval.id),
      invocationId: toUuid(approval.invocationId),
    })),
    session: boundary.session ?? null,
    message: boundary.message ? { ...boundary.message, id: toUuid(boundary.message.id) } : null,
    exchange: boundary.exchange ?? null,
  };
}

function toModelCallRow({ response, firstPartMs, durationMs, ...call }: PricedModelCall) {
  const { usage, ...rest } = response;
  return {
    ...call,
    response: rest,
    usage,
    firstPartMs: firstPartMs === null ? null : Math.round(firstPartMs),
    durationMs: Math.round(durationMs),
  };
}

/** An audit row in the shape that the raw statements read. */
export function toAuditRow(record: AuditRecord) {
  return {
    id: toUuid(record.id),
    at: record.at,
    type: record.type,
    actorKind: record.actor.kind,
    actorId: record.actor.id,
    targetKind: record.target.kind,
    targetId: record.target.id,
    payload: record.payload,
    hash: record.hash,
  };
}
