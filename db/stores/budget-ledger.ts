import type { Sql, TransactionSql } from 'postgres';
import { type Clock, toUuid } from '#lib/kernel/index.ts';
import type { BudgetLedger, ReservationRequest } from '#lib/models/index.ts';
import { inOneRoundTrip, readTogether } from '../pipelined.ts';
import { PERIOD_END, PERIOD_START, toBudget, toStanding } from './budget-rows.ts';

/**
 * Reservations on raw statements, one round trip each. The rows of use are locked before the statement that decides, so
 * that it sees all that was held or used before its turn: two that ask at once are one behind the other.
 */
export function createBudgetLedger({ sql, clock }: { sql: Sql; clock: Clock }): BudgetLedger {
  return {
    async list(scope) {
      const [rows] = await readTogether(sql, scope, (tx) => [
        tx`select * from budget where tenant_id = ${toUuid(scope.tenantId)} and (user_id is null or user_id = ${toUuid(scope.userId)})`,
      ]);
      return rows.map(toBudget);
    },

    async reserve(request) {
      const now = clock.now().toISOString();
      const { scope, runId } = request;
      const [tenant, run] = [toUuid(scope.tenantId), toUuid(runId)];
      const [owners, , , judged] = await inOneRoundTrip(sql, scope, (tx) => [
        // Until this is committed, the run neither ends nor changes its driver.
        tx`
          select id from run
          where tenant_id = ${tenant} and id = ${run} and epoch = ${request.epoch} and state = 'RUNNING' and cancel_requested_at is null
          for share`,
        tx`
          with ${claimed(tx, request, now)}
          insert into budget_use (tenant_id, budget_id, subject_id, period_start)
          select ${tenant}::uuid, budget_id, subject_id, period_start from claimed order by budget_id
          on conflict do nothing`,
        tx`
          with ${claimed(tx, request, now)}
          select 1 from budget_use u join claimed c using (budget_id, subject_id, period_start)
          where u.tenant_id = ${tenant} order by u.budget_id for update of u`,
        tx`
          with ${claimed(tx, request, now)},
          standing as (
            select c.*, u.used, coalesce((
              select sum(h.amount) from budget_hold h
              where h.tenant_id = ${tenant} and h.budget_id = c.budget_id and h.subject_id = c.subject_id and h.period_start = c.period_start
                and (h.run_id, h.path) <> (${run}::uuid, ${request.path})
            ), 0)::bigint as reserved
            from claimed c join budget_use u on u.tenant_id = ${tenant} and u.budget_id = c.budget_id
              and u.subject_id = c.subject_id and u.period_start = c.period_start
          ),
          judged as (select s.*, case when hard_limit is null then wants else least(wants, hard_limit - used - reserved) end as amount from standing s),
          verdict as (select coalesce(bool_and(amount >= needs), true) as fits from judged),
          held as (
            insert into budget_hold (tenant_id, run_id, path, budget_id, subject_id, period_start, amount)
            select ${tenant}::uuid, r.id, ${request.path}::text, j.budget_id, j.subject_id, j.period_start, j.amount
            from judged j, verdict, run r
            where fits and r.tenant_id = ${tenant} and r.id = ${run} and r.epoch = ${request.epoch} and r.state = 'RUNNING' and r.cancel_requested_at is null
            on conflict (tenant_id, run_id, path, budget_id) do update set
              subject_id = excluded.subject_id, period_start = excluded.period_start, amount = excluded.amount, created_at = excluded.created_at
          )
          select judged.*, fits from judged, verdict`,
      ]);
      if (owners.length === 0) return { status: 'stale' };
      return { status: judged.every((row) => row.fits === true) ? 'reserved' : 'refused', standings: judged.map(toStanding) };
    },
  };
}

/** The claims with their budgets as they are now. One whose budget was removed meanwhile claims nothing. */
function claimed(tx: Sql | TransactionSql, { scope, sessionId, claims }: ReservationRequest, now: string) {
  const document = JSON.stringify(claims.map(({ budgetId, needs, wants }) => ({ id: toUuid(budgetId), needs, wants })));
  return tx`
    claimed as (
      select b.id as budget_id, b.soft_limit, b.hard_limit, g.needs, g.wants,
        case b.subject when 'tenant' then b.tenant_id when 'user' then ${toUuid(scope.userId)}::uuid else ${toUuid(sessionId)}::uuid end as subject_id,
        ${tx.unsafe(PERIOD_START)} as period_start, ${tx.unsafe(PERIOD_END)} as ends_at
      from (select ${now}::timestamptz as now) as moment, jsonb_to_recordset(${document}::text::jsonb) as g(id uuid, needs bigint, wants bigint)
      join budget b on b.tenant_id = ${toUuid(scope.tenantId)} and b.id = g.id
      join tenant t on t.id = b.tenant_id
    )`;
}
