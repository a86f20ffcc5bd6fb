import type { Sql, TransactionSql } from 'postgres';
import { type AuditActor, toAuditRecord } from '#lib/audit/index.ts';
import { AppError, type Clock, type Id, type JsonObject, toUuid } from '#lib/kernel/index.ts';
import { type Boundary, isEventsOnly, type RunEventEntry, type RunJournal, type RunKey, type RunObserver } from '#lib/supervisor/index.ts';
import { inOneRoundTrip } from '../pipelined.ts';
import { toCommittedWrite, writeStatement } from './boundary-statement.ts';
import { noticesOf } from './notice-rows.ts';
import { RUN_CHANNEL, type RunEventBus } from './run-event-bus.ts';
import { createRunEventGroups } from './run-event-groups.ts';
import { readRunRecords, toRun } from './run-rows.ts';

/** The journal on raw statements: a boundary is one statement, and with its transaction one round trip. */
export function createRunJournal({
  sql,
  clock,
  bus,
  observer,
}: {
  sql: Sql;
  clock: Clock;
  bus: RunEventBus;
  observer?: RunObserver | undefined;
}): RunJournal {
  const groups = createRunEventGroups({ sql, bus });

  /** The sequence number of the boundary's first event; null when the fence refused it. */
  async function commit(key: RunKey, boundary: Boundary): Promise<number | null> {
    // What people are told of goes out with its row in the outbox, by the statement that writes both.
    if (isEventsOnly(boundary) && noticesOf(boundary).length === 0) return groups.append(key, boundary.events ?? []);
    const audit = (boundary.audit ?? []).map((entry) => toAuditRecord(entry, { tenantId: key.tenantId, actor: DRIVER, at: clock.now() }));
    const [rows] = await inOneRoundTrip(sql, { tenantId: key.tenantId }, (tx) => [
      writeStatement(tx, key, boundary, audit, bus.noticeOf(key.runId)),
    ]);
    if (!rows[0]) return null;
    observer?.(toCommittedWrite(key, boundary, rows[0]));
    return Number(rows[0].first_seq);
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
              and not exists (select from run earlier where ${waitsForTasks(tx, 'run')})
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

/**
 * A run `earlier` of the session of `later` that waits for its tasks: what the session is asked meanwhile comes after it. One
 * that waits for people lets those behind it pass.
 */
export function waitsForTasks(tx: Sql | TransactionSql, later: 'run' | 'r') {
  const table = tx(later);
  return tx`
    earlier.tenant_id = ${table}.tenant_id and earlier.session_id = ${table}.session_id and earlier.state = 'WAITING' and earlier.id < ${table}.id
    and not exists (select from question q where q.tenant_id = earlier.tenant_id and q.run_id = earlier.id and q.state = 'OPEN')
    and not exists (select from approval a where a.tenant_id = earlier.tenant_id and a.run_id = earlier.id and a.state = 'OPEN')`;
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
