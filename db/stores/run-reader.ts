import type { Row, Sql, TransactionSql } from 'postgres';
import { z } from 'zod';
import { fromUuid, type JsonObject, toUuid } from '#lib/kernel/index.ts';
import {
  type InvocationView,
  PROMPT_HEAD_READ,
  type RunEventView,
  type RunFacets,
  type RunReader,
  type RunSummaryView,
  type RunView,
  type SessionMove,
} from '#lib/supervisor/index.ts';
import { inOneRoundTrip } from '../pipelined.ts';
import { selectApprovals, toApprovalView } from './approval-rows.ts';
import { facetConditions, runConditions } from './run-conditions.ts';
import { toInvocation, toQuestion, toRun } from './run-rows.ts';
import { toTask } from './task-gate.ts';
import { toUsage, usageOfRun } from './usage-rows.ts';

/** Facets count the newest so many runs; beyond them they say "at least". A word costs a look for each run: then fewer. */
const FACET_ROWS = 100_000;
const FACET_ROWS_BY_WORD = 10_000;
/** People with fewer runs than these are found by the list of members. */
const FACET_PEOPLE = 20;

export function createRunReader(sql: Sql): RunReader {
  return {
    async list(scope, query, { ownOnly }) {
      const [, rows] = await inOneRoundTrip(sql, scope, (tx) => [
        plannedAnew(tx),
        tx`
          with page as materialized (
            select r.id from run r where ${runConditions(tx, scope, query, { ownOnly })} order by r.id desc limit ${query.limit + 1}
          )
          select r.*, u.name as user_name, coalesce(w.waited_ms, 0) as waited_ms, coalesce(m.total_tokens, 0) as total_tokens
          from page p
            join run r on r.tenant_id = ${toUuid(scope.tenantId)} and r.id = p.id
            join app_user u on u.id = r.user_id
            left join lateral (${waitedMs(tx)}) w on true
            left join lateral (${totalTokens(tx)}) m on true
          order by r.id desc`,
      ]);
      const page = rows.slice(0, query.limit).map(toSummary);
      return { items: page, nextCursor: rows.length > query.limit ? (page.at(-1)?.id ?? null) : null };
    },

    async facets(scope, query, { ownOnly }) {
      const limit = query.q ? FACET_ROWS_BY_WORD : FACET_ROWS;
      const [, rows] = await inOneRoundTrip(sql, scope, (tx) => {
        const { state, preset, path, person, all } = facetConditions(tx, query);
        return [
          plannedAnew(tx),
          tx`
            with seen as (
              select r.state, r.preset, coalesce(r.path, '') as path, r.user_id,
                ${state} as has_state, ${preset} as has_preset, ${path} as has_path, ${person} as has_person, ${all} as has_all
              from run r where ${runConditions(tx, scope, query, { ownOnly, isFaceted: true })} order by r.id desc limit ${limit}
            ), counted as (
              select grouping(state, preset, path, user_id) as dimension, state, preset, path, user_id, count(*) as all_count,
                count(*) filter (where has_preset and has_path and has_person) as state_count,
                count(*) filter (where has_state and has_path and has_person) as preset_count,
                count(*) filter (where has_state and has_preset and has_person) as path_count,
                count(*) filter (where has_state and has_preset and has_path) as person_count,
                count(*) filter (where has_all) as match_count
              from seen group by grouping sets ((state), (preset), (path), (user_id), ())
            )
            select c.*, u.name as user_name from counted c left join app_user u on u.id = c.user_id`,
        ];
      });
      return toFacets(rows, limit);
    },

    async findOwner(scope, runId) {
      const [rows] = await inOneRoundTrip(sql, scope, (tx) => [
        tx`select user_id from run where tenant_id = ${toUuid(scope.tenantId)} and id = ${toUuid(runId)}`,
      ]);
      return rows[0] ? fromUuid('user', String(rows[0].user_id)) : null;
    },

    async findOutcome(scope, runId) {
      const [tenant, run] = [toUuid(scope.tenantId), toUuid(runId)];
      const [runs, calls] = await inOneRoundTrip(sql, scope, (tx) => [
        tx`select * from run where tenant_id = ${tenant} and id = ${run}`,
        tx`select * from invocation where tenant_id = ${tenant} and run_id = ${run} order by step, id`,
      ]);
      const found = runs[0] && toRun(runs[0]);
      if (!found) return null;
      const invocations = calls.map(toInvocation).map(({ result, ...call }) => ({ ...call, output: result?.output ?? null }));
      return { ownerId: found.userId, outcome: { ...found, plan: found.plan as RunView['plan'], invocations } };
    },

    async findInvocation(scope, runId, invocationId) {
      const tenant = toUuid(scope.tenantId);
      const id = toUuid(invocationId);
      const [calls, moves] = await inOneRoundTrip(sql, scope, (tx) => [
        tx`select * from invocation where tenant_id = ${tenant} and run_id = ${toUuid(runId)} and id = ${id}`,
        tx`select * from invocation_transition where tenant_id = ${tenant} and invocation_id = ${id} order by seq`,
      ]);
      return calls[0] ? toInvocationView(calls[0], moves) : null;
    },

    async sessionMoves(scope, runId) {
      const [rows] = await inOneRoundTrip(sql, scope, (tx) => [
        tx`
          select e.at, e.payload from run r join session_event e on e.tenant_id = r.tenant_id and e.session_id = r.session_id
          where r.tenant_id = ${toUuid(scope.tenantId)} and r.id = ${toUuid(runId)} and e.type = 'session-state'
            and e.at >= r.started_at - interval '1 second' and e.at <= coalesce(r.ended_at, now()) + interval '1 second'
          order by e.seq`,
      ]);
      return ownMoves(rows.map(toSessionMove));
    },

    async get(scope, runId, { ownOnly, withoutPayloads = false }) {
      const tenant = toUuid(scope.tenantId);
      const run = toUuid(runId);
      const [runs, invocations, transitions, questions, ahead, usage, approvals, tasks] = await inOneRoundTrip(sql, scope, (tx) => [
        tx`
          select r.*, u.name as user_name, m.parent_id, w.waited_ms
          from run r join app_user u on u.id = r.user_id join message m on m.tenant_id = r.tenant_id and m.id = r.message_id
            left join lateral (${waitedMs(tx)}) w on true
          where r.tenant_id = ${tenant} and r.id = ${run}`,
        tx`
          select id, path, step, capability_id, capability_version, state, attempt, arguments_hash, idempotency_key, error_code, error_message, requested_at, finished_at,
            ${withoutPayloads ? tx`'{}'::jsonb as arguments, null::jsonb as result` : tx`arguments, result`}
          from invocation where tenant_id = ${tenant} and run_id = ${run} order by step, id`,
        tx`select t.* from invocation_transition t join invocation i on i.tenant_id = t.tenant_id and i.id = t.invocation_id where i.tenant_id = ${tenant} and i.run_id = ${run} order by t.invocation_id, t.seq`,
        tx`select * from question where tenant_id = ${tenant} and run_id = ${run} order by id desc limit 1`,
        tx`
          select case when this.state = 'QUEUED' then (
            select count(*)::int from run other
            where other.tenant_id = ${tenant} and other.session_id = this.session_id and other.id < this.id
              and other.state in ('QUEUED', 'RUNNING', 'WAITING')) else 0 end as place
          from run this where this.tenant_id = ${tenant} and this.id = ${run}`,
        usageOfRun(tx, tenant, run),
        tx`${selectApprovals(tx)} where a.tenant_id = ${tenant} and a.run_id = ${run} order by a.id`,
        tx`select * from run where tenant_id = ${tenant} and parent_run_id = ${run} order by parent_invocation_id, task_index`,
      ]);
      const row = runs[0];
      if (!row || (ownOnly && scope.userId && row.user_id !== toUuid(scope.userId))) return null;
      return toView(row, {
        invocations,
        transitions,
        approvals,
        tasks,
        question: questions[0],
        queuePlace: Number(ahead[0]?.place ?? 0),
        usage: usage[0],
      });
    },

    async events(scope, runId, after, limit, types) {
      const tenant = toUuid(scope.tenantId);
      const [rows, runs] = await inOneRoundTrip(sql, scope, (tx) => [
        tx`select seq, type, at, payload from run_event where tenant_id = ${tenant} and run_id = ${toUuid(runId)} and seq > ${after} ${types ? tx`and type = any(${[...types]}::text[])` : tx``} order by seq limit ${limit}`,
        tx`select event_seq, ended_at is not null as is_ended from run where tenant_id = ${tenant} and id = ${toUuid(runId)}`,
      ]);
      const items = rows.map((row) => toEventView(runId, row));
      return { items, lastSeq: Number(runs[0]?.event_seq ?? 0), isEnded: Boolean(runs[0]?.is_ended) };
    },
  };
}

/**
 * For this transaction each statement is planned for the values it is given. A plan for any word, any state would serve
 * neither the word that every run has nor the one that none has.
 */
function plannedAnew(tx: Sql | TransactionSql) {
  return tx`select set_config('plan_cache_mode', 'force_custom_plan', true)`;
}

function toEventView(runId: RunEventView['runId'], row: Row): RunEventView {
  return { runId, seq: Number(row.seq), type: String(row.type), at: row.at.toISOString(), payload: row.payload as JsonObject };
}

function toSummary(row: Row): RunSummaryView {
  const run = toRun(row);
  return {
    id: run.id,
    sessionId: run.sessionId,
    state: run.state,
    preset: run.preset,
    actor: { userId: run.userId, name: String(row.user_name) },
    promptHead: headOfPrompt(run.input),
    path: run.path,
    stepCount: run.stepCount,
    callsSucceeded: run.callsSucceeded,
    callsFailed: run.callsFailed,
    createdAt: run.createdAt.toISOString(),
    startedAt: run.startedAt?.toISOString() ?? null,
    endedAt: run.endedAt?.toISOString() ?? null,
    durationMs: run.endedAt ? run.endedAt.getTime() - (run.startedAt ?? run.createdAt).getTime() : null,
    waitedMs: Math.round(Number(row.waited_ms ?? 0)),
    totalTokens: Number(row.total_tokens ?? 0),
    cost: row.cost_micros !== null && row.cost_currency ? { micros: Number(row.cost_micros), currency: String(row.cost_currency) } : null,
  };
}

function headOfPrompt(text: string): string {
  return [...text.slice(0, 2 * PROMPT_HEAD_READ)].slice(0, PROMPT_HEAD_READ).join('');
}

/** How long people were waited for, as a lateral query on `r`; a wait that goes on is not counted yet. */
function waitedMs(tx: Sql | TransactionSql) {
  return tx`
    select extract(epoch from sum(until - since)) * 1000 as waited_ms from (
      select coalesce(q.answered_at, r.ended_at) as until, q.created_at as since
      from question q where q.tenant_id = r.tenant_id and q.run_id = r.id
      union all
      -- Decisions about calls of one answer are waited for beside each other.
      select max(coalesce(a.decided_at, r.ended_at)), a.created_at
      from approval a where a.tenant_id = r.tenant_id and a.run_id = r.id group by a.created_at
    ) as wait`;
}

function totalTokens(tx: Sql | TransactionSql) {
  return tx`
    select sum(c.input_tokens + c.cached_input_tokens + c.cache_write_tokens + c.output_tokens + c.reasoning_tokens) as total_tokens
    from model_call c where c.tenant_id = r.tenant_id and c.run_id = r.id`;
}

/** Rows of `grouping sets`: the bits of `dimension` say which columns a row is not about. */
function toFacets(rows: readonly Row[], limit: number): RunFacets {
  const of = (dimension: number, column: string, count: string) =>
    rows
      .filter((row) => Number(row.dimension) === dimension && row[column] !== null && row[column] !== '')
      .map((row) => ({ value: String(row[column]), count: Number(row[count]), name: String(row.user_name ?? '') }))
      .filter((choice) => choice.count > 0)
      .sort((a, b) => b.count - a.count);
  const all = rows.find((row) => Number(row.dimension) === 0b1111);
  return {
    state: of(0b0111, 'state', 'state_count').map(withoutName),
    preset: of(0b1011, 'preset', 'preset_count').map(withoutName),
    path: of(0b1101, 'path', 'path_count').map(withoutName),
    actor: of(0b1110, 'user_id', 'person_count')
      .slice(0, FACET_PEOPLE)
      .map((person) => ({ ...person, value: fromUuid('user', person.value) })),
    total: Number(all?.match_count ?? 0),
    isApproximate: Number(all?.all_count ?? 0) >= limit,
  };
}

function withoutName({ value, count }: { value: string; count: number }) {
  return { value, count };
}

const sessionMove = z.object({ from: z.string(), to: z.string(), reason: z.string() });

function toSessionMove(row: Row): SessionMove {
  return { ...sessionMove.parse(row.payload), at: row.at.toISOString() };
}

/** From the session's last beginning to its next rest: its neighbours in time belong to other runs. */
function ownMoves(moves: readonly SessionMove[]): SessionMove[] {
  const first = Math.max(
    0,
    moves.findIndex(({ from }) => from === 'IDLE'),
  );
  const rest = moves.slice(first);
  const last = rest.findIndex(({ to }) => to === 'IDLE');
  return last < 0 ? rest : rest.slice(0, last + 1);
}

function toView(
  row: Row,
  parts: {
    invocations: readonly Row[];
    transitions: readonly Row[];
    approvals: readonly Row[];
    tasks: readonly Row[];
    question: Row | undefined;
    queuePlace: number;
    usage: Row | undefined;
  },
): RunView {
  const run = toRun(row);
  const question = parts.question ? toQuestion(parts.question) : null;
  return {
    ...toSummary(row),
    message: run.input,
    messageId: run.messageId,
    parentId: row.parent_id ? fromUuid('message', String(row.parent_id)) : null,
    ...usageOf(parts.usage),
    pathReason: run.pathReason,
    graph: run.graph,
    ontologyRevision: run.ontologyRevision,
    plan: run.plan as RunView['plan'],
    answer: run.answer,
    error: run.error,
    queuePlace: parts.queuePlace,
    question: question && { ...question, options: [...question.options] },
    approvals: parts.approvals.map(toApprovalView),
    invocations: toInvocationViews(parts.invocations, parts.transitions),
    parentRunId: run.parentRunId,
    tasks: parts.tasks.map(toTask).map(({ text, outcome: _outcome, ...task }) => ({ ...task, textHead: headOfPrompt(text) })),
    epoch: run.epoch,
    lastSeq: run.eventSeq,
  };
}

/** Transitions are sorted by the call they belong to; thousands of calls are matched in one pass. */
function toInvocationViews(invocations: readonly Row[], transitions: readonly Row[]): InvocationView[] {
  const moves = Map.groupBy(transitions, (move) => String(move.invocation_id));
  return invocations.map((invocation) => toInvocationView(invocation, moves.get(String(invocation.id)) ?? []));
}

function usageOf(row: Row | undefined): Pick<RunView, 'usage' | 'totalTokens'> {
  const usage = toUsage(row);
  return { usage, totalTokens: usage?.totalTokens ?? 0 };
}

function toInvocationView(row: Row, transitions: readonly Row[]): InvocationView {
  const invocation = toInvocation(row);
  return {
    id: invocation.id,
    path: invocation.path,
    step: invocation.step,
    capabilityId: invocation.capabilityId,
    capabilityVersion: invocation.capabilityVersion,
    state: invocation.state,
    attempt: invocation.attempt,
    arguments: invocation.arguments,
    output: invocation.result?.output ?? null,
    error: invocation.error,
    requestedAt: invocation.requestedAt.toISOString(),
    finishedAt: invocation.finishedAt?.toISOString() ?? null,
    transitions: transitions.map((move) => ({
      from: move.from_state,
      to: move.to_state,
      at: move.at.toISOString(),
      reason: move.reason,
      attempt: move.attempt,
    })),
  };
}
