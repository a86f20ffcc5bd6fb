import type { Sql, TransactionSql } from 'postgres';
import { toUuid } from '#lib/kernel/index.ts';
import type { Boundary, RunKey } from '#lib/supervisor/index.ts';

/** Unless the driver knows better: a run that moves may have held something. */
export function settlesBudgets({ settlesBudgets, run }: Boundary): boolean {
  return settlesBudgets ?? run?.state !== undefined;
}

/**
 * The part of a boundary's statement by which what its calls held of budgets is given back and what they used is counted; a
 * run that ends or waits gives back all. Rows of use are locked in the order that reservations lock them.
 */
export function settleBudgets(tx: Sql | TransactionSql, key: RunKey) {
  const tenant = toUuid(key.tenantId);
  return tx`, freed as (
      delete from budget_hold h using fenced f, given
      where h.tenant_id = ${tenant} and h.run_id = f.id
        and (d->'run'->>'state' <> 'RUNNING' or h.path in (select c->>'path' from jsonb_array_elements(d->'modelCalls') as c))
      returning h.path, h.budget_id, h.subject_id, h.period_start, h.amount
    ),
    spent as (
      select h.budget_id, h.subject_id, h.period_start, sum(case b.measure
        when 'money' then coalesce((c->'cost'->>'micros')::bigint, h.amount)
        else (c->'usage'->>'inputTokens')::bigint + (c->'usage'->>'cachedInputTokens')::bigint + (c->'usage'->>'cacheWriteTokens')::bigint
          + (c->'usage'->>'outputTokens')::bigint + (c->'usage'->>'reasoningTokens')::bigint end)::bigint as amount
      from freed h join budget b on b.tenant_id = ${tenant} and b.id = h.budget_id, given, jsonb_array_elements(d->'modelCalls') as c
      where c->>'path' = h.path
      group by h.budget_id, h.subject_id, h.period_start
    ),
    counted as (
      select u.budget_id, u.subject_id, u.period_start, s.amount
      from budget_use u join spent s using (budget_id, subject_id, period_start)
      where u.tenant_id = ${tenant} order by u.budget_id, u.period_start for update of u
    ),
    settled as (
      update budget_use u set used = u.used + c.amount from counted c
      where u.tenant_id = ${tenant} and u.budget_id = c.budget_id and u.subject_id = c.subject_id and u.period_start = c.period_start
    )`;
}
