import type { Row } from 'postgres';
import { z } from 'zod';
import { fromUuid } from '#lib/kernel/index.ts';
import type { Budget, BudgetStanding } from '#lib/models/index.ts';

/** Rows of budgets, parsed on their way in. Sums of bigints come as text. */
const budgetRow = z.object({
  id: z.string(),
  subject: z.enum(['tenant', 'user', 'session']),
  user_id: z.string().nullable(),
  measure: z.enum(['tokens', 'money']),
  currency: z.string().nullable(),
  period: z.enum(['day', 'month', 'total']),
  soft_limit: z.coerce.number().nullable(),
  hard_limit: z.coerce.number().nullable(),
});

export function toBudget(row: Row | Record<string, unknown>): Budget {
  const { id, user_id, soft_limit, hard_limit, ...rest } = budgetRow.parse(row);
  return {
    ...rest,
    id: fromUuid('budget', id),
    userId: user_id === null ? null : fromUuid('user', user_id),
    softLimit: soft_limit,
    hardLimit: hard_limit,
  };
}

const standingRow = z.object({
  budget_id: z.string(),
  used: z.coerce.number(),
  reserved: z.coerce.number(),
  amount: z.coerce.number(),
  needs: z.coerce.number(),
  soft_limit: z.coerce.number().nullable(),
  hard_limit: z.coerce.number().nullable(),
  ends_at: z.date().nullable(),
});

export function toStanding(row: Row): BudgetStanding {
  const { budget_id, used, reserved, amount, needs, soft_limit, hard_limit, ends_at } = standingRow.parse(row);
  return {
    budgetId: fromUuid('budget', budget_id),
    used,
    reserved,
    held: Math.max(0, amount),
    needs,
    softLimit: soft_limit,
    hardLimit: hard_limit,
    endsAt: ends_at,
  };
}

/** The start of the period of `b` that `moment.now` is in, by the days and months of the tenant `t`. */
export const PERIOD_START = `
  case b.period when 'total' then 'epoch'::timestamptz else date_trunc(b.period, moment.now, t.time_zone) end`;

/** Its end; a day of 23 hours is a day. null: it has none. */
export const PERIOD_END = `
  case when b.period <> 'total'
  then (date_trunc(b.period, moment.now at time zone t.time_zone) + ('1 ' || b.period)::interval) at time zone t.time_zone end`;
