import type { Row, Sql } from 'postgres';
import { AppError, fromUuid, type JsonObject, parseId, storableText, toUuid } from '#lib/kernel/index.ts';
import type { InvocationView, RunEventView, RunReader, RunSummaryView, RunView } from '#lib/supervisor/index.ts';
import { inOneRoundTrip } from '../pipelined.ts';
import { toInvocation, toQuestion, toRun } from './run-rows.ts';
import { toUsage, usageOfRun } from './usage-rows.ts';

export function createRunReader(sql: Sql): RunReader {
  return {
    async list(scope, query, { ownOnly }) {
      const states = query.state === undefined ? [] : [query.state].flat();
      const cursor = query.cursor === undefined ? null : requireId('run', query.cursor, 'cursor');
      const session = query.session === undefined ? null : requireId('session', query.session, 'session');
      const actor = query.actor === undefined ? null : requireId('user', query.actor, 'actor');
      const words = storableText(query.q ?? '')
        .split(/\s+/)
        .filter(Boolean)
        .map((word) => `%${word.replaceAll(/[\\%_]/g, '\\$&')}%`);
      const [rows] = await inOneRoundTrip(sql, scope, (tx) => [
        tx`
          select r.*, u.name as user_name from run r join app_user u on u.id = r.user_id
          where r.tenant_id = ${toUuid(scope.tenantId)}
            ${ownOnly && scope.userId ? tx`and r.user_id = ${toUuid(scope.userId)}` : tx``}
            ${cursor ? tx`and r.id < ${toUuid(cursor)}` : tx``}
            ${session ? tx`and r.session_id = ${toUuid(session)}` : tx``}
            ${actor ? tx`and r.user_id = ${toUuid(actor)}` : tx``}
            ${states.length > 0 ? tx`and r.state in ${tx(states)}` : tx``}
            ${query.preset ? tx`and r.preset = ${storableText(query.preset)}` : tx``}
            ${query.from ? tx`and r.created_at >= ${query.from}` : tx``}
            ${query.to ? tx`and r.created_at < ${query.to}` : tx``}
            ${query.capability ? tx`and exists (select from invocation i where i.tenant_id = r.tenant_id and i.run_id = r.id and i.capability_id = ${storableText(query.capability)})` : tx``}
            ${words.length > 0 ? tx`and r.input ilike all (${words}::text[])` : tx``}
          order by r.id desc limit ${query.limit + 1}`,
      ]);
      const page = rows.slice(0, query.limit).map(toSummary);
      return { items: page, nextCursor: rows.length > query.limit ? (page.at(-1)?.id ?? null) : null };
    },

    async get(scope, runId, { ownOnly }) {
      const tenant = toUuid(scope.tenantId);
      const run = toUuid(runId);
      const [runs, invocations, transitions, questions, ahead, usage] = await inOneRoundTrip(sql, scope, (tx) => [
        tx`
          select r.*, u.name as user_name, m.parent_id from run r join app_user u on u.id = r.user_id join message m on m.tenant_id = r.tenant_id and m.id = r.message_id
          where r.tenant_id = ${tenant} and r.id = ${run}`,
        tx`select * from invocation where tenant_id = ${tenant} and run_id = ${run} order by step, id`,
        tx`select t.* from invocation_transition t join invocation i on i.tenant_id = t.tenant_id and i.id = t.invocation_id where i.tenant_id = ${tenant} and i.run_id = ${run} order by t.invocation_id, t.seq`,
        tx`select * from question where tenant_id = ${tenant} and run_id = ${run} order by id desc limit 1`,
        tx`
          select case when this.state = 'QUEUED' then (
            select count(*)::int from run other
            where other.tenant_id = ${tenant} and other.session_id = this.session_id and other.id < this.id
              and other.state in ('QUEUED', 'RUNNING', 'WAITING')) else 0 end as place
          from run this where this.tenant_id = ${tenant} and this.id = ${run}`,
        usageOfRun(tx, tenant, run),
      ]);
      const row = runs[0];
      if (!row || (ownOnly && scope.userId && row.user_id !== toUuid(scope.userId))) return null;
      return toView(row, { invocations, transitions, question: questions[0], queuePlace: Number(ahead[0]?.place ?? 0), usage: usage[0] });
    },

    async events(scope, runId, after, limit) {
      const tenant = toUuid(scope.tenantId);
      const [rows, runs] = await inOneRoundTrip(sql, scope, (tx) => [
        tx`select seq, type, at, payload from run_event where tenant_id = ${tenant} and run_id = ${toUuid(runId)} and seq > ${after} order by seq limit ${limit}`,
        tx`select event_seq, ended_at is not null as is_ended from run where tenant_id = ${tenant} and id = ${toUuid(runId)}`,
      ]);
      const items = rows.map((row) => toEventView(runId, row));
      return { items, lastSeq: Number(runs[0]?.event_seq ?? 0), isEnded: Boolean(runs[0]?.is_ended) };
    },
  };
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
    promptHead: [...run.input].slice(0, 200).join(''),
    path: run.path,
    stepCount: run.stepCount,
    callsSucceeded: run.callsSucceeded,
    callsFailed: run.callsFailed,
    createdAt: run.createdAt.toISOString(),
    startedAt: run.startedAt?.toISOString() ?? null,
    endedAt: run.endedAt?.toISOString() ?? null,
    durationMs: run.endedAt ? run.endedAt.getTime() - (run.startedAt ?? run.createdAt).getTime() : null,
  };
}

function toView(
  row: Row,
  parts: {
    invocations: readonly Row[];
    transitions: readonly Row[];
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
    usage: toUsage(parts.usage),
    pathReason: run.pathReason,
    graph: run.graph,
    ontologyRevision: run.ontologyRevision,
    plan: run.plan as RunView['plan'],
    answer: run.answer,
    error: run.error,
    queuePlace: parts.queuePlace,
    question: question && { ...question, options: [...question.options] },
    invocations: parts.invocations.map((invocation) => toInvocationView(invocation, parts.transitions)),
    epoch: run.epoch,
    lastSeq: run.eventSeq,
  };
}

function toInvocationView(row: Row, transitions: readonly Row[]): InvocationView {
  const invocation = toInvocation(row);
  return {
    id: invocation.id,
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
    transitions: transitions
      .filter((move) => fromUuid('invocation', move.invocation_id) === invocation.id)
      .map((move) => ({ from: move.from_state, to: move.to_state, at: move.at.toISOString(), reason: move.reason, attempt: move.attempt })),
  };
}

function requireId<Kind extends 'run' | 'session' | 'user'>(kind: Kind, text: string, name: string) {
  const id = parseId(kind, text);
  if (!id) throw new AppError({ code: 'invalid_request', message: `${name} is not the id of a ${kind}.`, details: { path: name } });
  return id;
}
