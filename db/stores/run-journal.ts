import type { Sql, TransactionSql } from 'postgres';
import { type AuditActor, type AuditRecord, toAuditRecord } from '#lib/audit/index.ts';
import { AppError, type Clock, type Id, type JsonObject, storableJson, toUuid } from '#lib/kernel/index.ts';
import {
  type Boundary,
  isEventsOnly,
  type PricedModelCall,
  type RunEventEntry,
  type RunJournal,
  type RunKey,
} from '#lib/supervisor/index.ts';
import { inOneRoundTrip } from '../pipelined.ts';
import { RUN_CHANNEL, type RunEventBus } from './run-event-bus.ts';
import { createRunEventGroups } from './run-event-groups.ts';
import { readRunRecords, toRun } from './run-rows.ts';

/** The journal on raw statements: a boundary is one statement, and with its transaction one round trip. */
export function createRunJournal({ sql, clock, bus }: { sql: Sql; clock: Clock; bus: RunEventBus }): RunJournal {
  const groups = createRunEventGroups({ sql, bus });

  /** The sequence number of the boundary's first event; null when the fence refused it. */
  async function commit(key: RunKey, boundary: Boundary): Promise<number | null> {
    if (isEventsOnly(boundary)) return groups.append(key, boundary.events ?? []);
    const audit = (boundary.audit ?? []).map((entry) => toAuditRecord(entry, { tenantId: key.tenantId, actor: DRIVER, at: clock.now() }));
    const [rows] = await inOneRoundTrip(sql, { tenantId: key.tenantId }, (tx) => [
      writeStatement(tx, key, boundary, audit, bus.noticeOf(key.runId)),
    ]);
    return rows[0] ? Number(rows[0].first_seq) : null;
  }

  return {
    async begin({ tenantId, runId, number }, claim) {
      const now = clock.now();
      const runUuid = toUuid(runId);
      const tenantUuid = toUuid(tenantId);
      const [, begun, nodes, invocations, questions, shown, modelCalls, approvals, policies] = await inOneRoundTrip(
        sql,
        { tenantId },
        (tx) => [
          // First the lock, so that the next statement sees what an owner before this one has written while it was waited for.
          tx`select id from run where tenant_id = ${tenantUuid} and id = ${runUuid} for update`,
          tx`
          with moved as (
            update run set
              epoch = epoch + 1,
              state = 'RUNNING',
              started_at = coalesce(started_at, ${now}),
              event_seq = event_seq + 1
            where tenant_id = ${tenantUuid} and id = ${runUuid} and segment = ${number}
              and state in ('QUEUED', 'RUNNING', 'WAITING')
              and not exists (select from question q where q.tenant_id = run.tenant_id and q.run_id = run.id and q.state = 'OPEN')
              and not exists (select from approval a where a.tenant_id = run.tenant_id and a.run_id = run.id and a.state = 'OPEN')
              ${claim ? tx`and exists (select from dbos.workflow_status w where w.workflow_uuid = ${claim.segmentKey} and w.owner_xid = ${claim.token})` : tx``}
            returning *, (select state from run before where before.id = run.id) as state_before
          ),
          event as (
            insert into run_event (tenant_id, run_id, seq, type, at, payload)
            select tenant_id, id, event_seq, 'run-state', ${now},
              jsonb_build_object('from', state_before, 'to', 'RUNNING', 'reason', case when epoch = 1 then 'started' when state_before = 'RUNNING' then 'taken over' else 'resumed' end)
            from moved
            returning payload
          ),
          told as (select pg_notify(${RUN_CHANNEL}, ${bus.noticeOf(runId)}) from moved)
          select moved.*, event.payload as begun, (select count(*) from told) as told from moved, event`,
          tx`select path, output from node_record where tenant_id = ${tenantUuid} and run_id = ${runUuid}`,
          tx`select * from invocation where tenant_id = ${tenantUuid} and run_id = ${runUuid}`,
          tx`
          select *, (
            select count(*)::int from question granting
            where granting.tenant_id = question.tenant_id and granting.run_id = question.run_id
              and granting.invocation_id = question.invocation_id and granting.answer = 'run-again') as repeats_granted
          from question where tenant_id = ${tenantUuid} and run_id = ${runUuid} order by id desc limit 1`,
          shownText(tx, tenantUuid, runUuid),
          tx`select path, response, input_tokens, cached_input_tokens, cache_write_tokens, output_tokens, reasoning_tokens, is_estimated from model_call where tenant_id = ${tenantUuid} and run_id = ${runUuid}`,
          tx`
          select distinct on (a.invocation_id) a.*, u.name as decided_by_name
          from approval a left join app_user u on u.id = a.decided_by
          where a.tenant_id = ${tenantUuid} and a.run_id = ${runUuid} order by a.invocation_id, a.id desc`,
          tx`select capability_id, mode, needs_other from approval_policy where tenant_id = ${tenantUuid}`,
        ],
      );
      const row = begun[0];
      if (!row) return null;
      tellReaders(bus, runId, [{ type: 'run-state', at: now, payload: row.begun as JsonObject }], Number(row.event_seq));
      return readRunRecords({ row, nodes, invocations, question: questions[0], shown, modelCalls, approvals, policies });
    },

    async write(key, boundary) {
      const firstSeq = await commit(key, boundary).catch((error: unknown) => {
        bus.tellUnknown(key.runId);
        throw error;
      });
      if (firstSeq === null) {
        throw new AppError({
          code: 'stale_epoch',
          message: 'The run has ended, was stopped, or is driven by another process.',
          details: { runId: key.runId, epoch: key.epoch },
        });
      }
      tellReaders(bus, key.runId, boundary.events ?? [], firstSeq);
    },

    async find(scope, runId) {
      const [rows] = await inOneRoundTrip(sql, scope, (tx) => [
        tx`select * from run where tenant_id = ${toUuid(scope.tenantId)} and id = ${toUuid(runId)}`,
      ]);
      return rows[0] ? toRun(rows[0]) : null;
    },
  };
}

/** The text of each step as a reader of the log would have it now: deltas after the step's last reset. */
export function shownText(tx: Sql | TransactionSql, tenantUuid: string, runUuid: string) {
  return tx`
    with said as (
      select seq, type, payload->>'step' as step, payload->>'text' as text
      from run_event where tenant_id = ${tenantUuid} and run_id = ${runUuid} and type in ('text-delta', 'text-reset')
    ),
    reset as (select step, max(seq) as seq from said where type = 'text-reset' group by step)
    select said.step::int as step, string_agg(said.text, '' order by said.seq) as text
    from said left join reset on reset.step = said.step
    where said.type = 'text-delta' and said.seq > coalesce(reset.seq, 0)
    group by said.step`;
}

const DRIVER: AuditActor = { kind: 'system', id: 'supervisor' };

function tellReaders(bus: RunEventBus, runId: Id<'run'>, events: readonly RunEventEntry[], firstSeq: number): void {
  if (events.length > 0) bus.tell(runId, { firstSeq, events });
}

/**
 * The boundary as one statement, which tells the readers of every process `notice`. It yields the sequence number of its first event, or no row when the fence refused it, and
 * then nothing was written: every insert selects from the fenced row. Sets of rows travel as one JSON document: the
 * statement's text never changes, so it stays prepared.
 */
export function writeStatement(tx: Sql | TransactionSql, key: RunKey, boundary: Boundary, audit: readonly AuditRecord[], notice: string) {
  const document = JSON.stringify(storableJson(toDocument(boundary, audit)));
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
        (cost_micros, cost_currency) = (
          select case when count(*) = count(cost) and count(distinct currency) = 1 then sum(cost) end, min(currency)
          from (
            select path, cost_micros as cost, currency from model_call m
            where m.tenant_id = run.tenant_id and m.run_id = run.id and d->'run'->>'endedAt' is not null
            union
            select c->>'path', (c->'cost'->>'micros')::bigint, c->'cost'->>'currency'
            from jsonb_array_elements(d->'modelCalls') as c where d->'run'->>'endedAt' is not null
          ) as paid
        ),
        event_seq = event_seq + jsonb_array_length(d->'events')
      from given
      where tenant_id = ${toUuid(key.tenantId)} and id = ${toUuid(key.runId)} and epoch = ${key.epoch}
        and state in ('QUEUED', 'RUNNING', 'WAITING')
        and (cancel_requested_at is null or not coalesce((d->>'refuseWhenCancelled')::boolean, false))
      returning run.tenant_id, run.id, run.session_id, run.user_id, run.message_id, event_seq - jsonb_array_length(d->'events') as base
    ),
    events as (
      insert into run_event (tenant_id, run_id, seq, type, at, payload)
      select f.tenant_id, f.id, f.base + e.ord, e.item->>'type', (e.item->>'at')::timestamptz, e.item->'payload'
      from fenced f, given, jsonb_array_elements(d->'events') with ordinality as e(item, ord)
    ),
    audits as (
      insert into audit_event (tenant_id, id, at, type, actor_kind, actor_id, target_kind, target_id, run_id, payload, hash)
      select f.tenant_id, (a->>'id')::uuid, (a->>'at')::timestamptz, a->>'type', a->>'actorKind', a->>'actorId', a->>'targetKind', a->>'targetId', f.id, a->>'payload', a->>'hash'
      from fenced f, given, jsonb_array_elements(d->'audit') as a
    ),
    calls as (
      insert into invocation (tenant_id, id, run_id, path, step, capability_id, capability_version, state, attempt, arguments, arguments_hash, idempotency_key, result, error_code, error_message, requested_at, finished_at)
      select f.tenant_id, (i->>'id')::uuid, f.id, i->>'path', (i->>'step')::int, i->>'capabilityId', i->>'capabilityVersion', i->>'state', (i->>'attempt')::int, i->'arguments', i->>'argumentsHash', i->>'idempotencyKey', nullif(i->'result', 'null'::jsonb), i->'error'->>'code', i->'error'->>'message', (i->>'requestedAt')::timestamptz, (i->>'finishedAt')::timestamptz
      from fenced f, given, jsonb_array_elements(d->'invocations') as i
      on conflict (tenant_id, run_id, path) do update set
        capability_version = excluded.capability_version, arguments_hash = excluded.arguments_hash,
        state = excluded.state, attempt = excluded.attempt, result = excluded.result,
        error_code = excluded.error_code, error_message = excluded.error_message, finished_at = excluded.finished_at
    ),
    moves as (
      insert into invocation_transition (tenant_id, invocation_id, seq, from_state, to_state, attempt, reason, at)
      select f.tenant_id, (t->>'invocationId')::uuid, (t->>'seq')::int, t->>'from', t->>'to', (t->>'attempt')::int, t->>'reason', (t->>'at')::timestamptz
      from fenced f, given, jsonb_array_elements(d->'transitions') as t
    ),
    nodes as (
      insert into node_record (tenant_id, run_id, path, output)
      select f.tenant_id, f.id, n->>'path', n->'output' from fenced f, given, jsonb_array_elements(d->'nodes') as n
      on conflict (tenant_id, run_id, path) do nothing
    ),
    model_calls as (
      insert into model_call (tenant_id, run_id, path, agent_id, provider, model, scene, context, response, input_tokens, cached_input_tokens, cache_write_tokens, output_tokens, reasoning_tokens, is_estimated, cost_micros, currency, attempts, first_part_ms, duration_ms, started_at)
      select f.tenant_id, f.id, c->>'path', c->>'agentId', c->>'provider', c->>'model', c->>'scene', nullif(c->'context', 'null'::jsonb), c->'response', (c->'usage'->>'inputTokens')::int, (c->'usage'->>'cachedInputTokens')::int, (c->'usage'->>'cacheWriteTokens')::int, (c->'usage'->>'outputTokens')::int, (c->'usage'->>'reasoningTokens')::int, (c->'usage'->>'isEstimated')::boolean, (c->'cost'->>'micros')::bigint, c->'cost'->>'currency', (c->>'attempts')::int, (c->>'firstPartMs')::int, (c->>'durationMs')::int, (c->>'startedAt')::timestamptz
      from fenced f, given, jsonb_array_elements(d->'modelCalls') as c
      on conflict (tenant_id, run_id, path) do nothing
    ),
    summaries as (
      insert into conversation_summary (tenant_id, session_id, run_id, path, agent_id, through_turn_seq, through_run_id, summary, progress, source, turns, step_count, tokens_before, tokens_after)
      select f.tenant_id, f.session_id, f.id, c->>'path', c->>'agentId', (c->>'throughTurnSeq')::int, (c->>'throughRunId')::uuid, c->>'summary', c->>'progress', c->>'source', c->'turns', (c->>'stepCount')::int, (c->>'tokensBefore')::int, (c->>'tokensAfter')::int
      from fenced f, given, jsonb_array_elements(d->'compactions') as c
      on conflict (tenant_id, run_id, path) do nothing
    ),
    asked as (
      insert into question (tenant_id, id, run_id, invocation_id, kind, text, options, state)
      select f.tenant_id, (q->>'id')::uuid, f.id, (q->>'invocationId')::uuid, q->>'kind', q->>'text', q->'options', q->>'state'
      from fenced f, given, lateral (select d->'question' as q) as question where q <> 'null'::jsonb
    ),
    approvals as (
      insert into approval (tenant_id, id, run_id, invocation_id, capability_id, capability_version, arguments, arguments_hash, risk, reason, needs_other, state, requested_by, expires_at)
      select f.tenant_id, (p->>'id')::uuid, f.id, (p->>'invocationId')::uuid, p->>'capabilityId', p->>'capabilityVersion', p->'arguments', p->>'argumentsHash', p->>'risk', p->>'reason', (p->>'needsOther')::boolean, p->>'state', f.user_id, clock_timestamp() + make_interval(secs => (p->>'windowMs')::float8 / 1000)
      from fenced f, given, jsonb_array_elements(d->'approvals') as p
    ),
    session as (
      update agent_session s set
        state = coalesce(d->'session'->>'state', s.state),
        event_seq = s.event_seq + jsonb_array_length(d->'session'->'events'),
        turn_seq = s.turn_seq + case when d->'exchange' <> 'null'::jsonb then 1 else 0 end,
        updated_at = now()
      from fenced f, given
      where d->'session' <> 'null'::jsonb and s.tenant_id = ${toUuid(key.tenantId)} and s.id = ${toUuid(key.sessionId)}
      returning s.tenant_id, s.id, s.turn_seq, s.event_seq - jsonb_array_length(d->'session'->'events') as base
    ),
    session_events as (
      insert into session_event (tenant_id, session_id, seq, type, payload)
      select s.tenant_id, s.id, s.base + e.ord, e.item->>'type', e.item->'payload'
      from session s, given, jsonb_array_elements(d->'session'->'events') with ordinality as e(item, ord)
    ),
    answers as (
      insert into message (tenant_id, id, session_id, run_id, parent_id, role, text, state)
      select f.tenant_id, (m->>'id')::uuid, f.session_id, f.id, f.message_id, 'assistant', m->>'text', m->>'state'
      from fenced f, given, lateral (select d->'message' as m) as message where m <> 'null'::jsonb
    ),
    memory as (
      insert into agent_conversation_message (tenant_id, session_id, agent_id, turn_seq, role, content, metadata, run_id)
      select s.tenant_id, s.id, d->'exchange'->>'agentId', s.turn_seq, r.role, d->'exchange'->>r.key, '{}'::jsonb, f.id
      from session s, fenced f, given, (values ('USER', 'user'), ('ASSISTANT', 'assistant')) as r(role, key)
      where d->'exchange' <> 'null'::jsonb
    )
    select base + 1 as first_seq, pg_notify(${RUN_CHANNEL}, ${notice}) from fenced`;
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
