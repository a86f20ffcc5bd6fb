import { and, eq, type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { fromUuid, toUuid } from '#lib/kernel/index.ts';
import { type BudgetClaim, type BudgetStanding, costMicros, type EmbeddingCall, type EmbeddingCallStore } from '#lib/models/index.ts';
import { embeddingCall } from '../schema/index.ts';
import type { TenantBinding } from '../tenant-binding.ts';
import { PERIOD_END, PERIOD_START, toBudget } from './budget-rows.ts';

const claimedRow = z.object({
  budget_id: z.string(),
  subject_id: z.string(),
  period_start: z.coerce.date(),
  ends_at: z.coerce.date().nullable(),
  measure: z.enum(['tokens', 'money']),
  soft_limit: z.coerce.number().nullable(),
  hard_limit: z.coerce.number().nullable(),
  needs: z.coerce.number(),
  used: z.coerce.number(),
  reserved: z.coerce.number(),
});
type Claimed = z.infer<typeof claimedRow>;

const takenClaims = z.array(
  z.object({ budget: z.string(), subject: z.string(), period: z.string(), measure: z.enum(['tokens', 'money']), amount: z.number() }),
);
type TakenClaim = z.infer<typeof takenClaims>[number];

export function bindEmbeddingCallStore({ transaction, scope, clock }: TenantBinding): EmbeddingCallStore {
  const { tenantId } = scope;
  const tenant = toUuid(tenantId);
  const user = scope.userId ? toUuid(scope.userId) : null;

  const claimed = (claims: readonly BudgetClaim[]): SQL => sql`
    claimed as (
      select b.id as budget_id, b.measure, b.soft_limit, b.hard_limit, g.needs,
        case b.subject when 'tenant' then b.tenant_id else ${user}::uuid end as subject_id,
        ${sql.raw(PERIOD_START)} as period_start, ${sql.raw(PERIOD_END)} as ends_at
      from (select ${clock.now().toISOString()}::timestamptz as now) as moment,
        jsonb_to_recordset(${JSON.stringify(claims.map(({ budgetId, needs }) => ({ id: toUuid(budgetId), needs })))}::text::jsonb) as g(id uuid, needs bigint)
      join budget b on b.tenant_id = ${tenant} and b.id = g.id
      join tenant t on t.id = b.tenant_id
    )`;

  /** In the order in which runs lock them. */
  const addToUse = async (takes: readonly (Pick<TakenClaim, 'budget' | 'subject' | 'period'> & { amount: number })[]) => {
    for (const { budget, subject, period, amount } of takes.toSorted((a, b) => (a.budget < b.budget ? -1 : 1))) {
      await transaction.execute(sql`
        update budget_use set used = greatest(0, used + ${amount}::bigint)
        where tenant_id = ${tenant} and budget_id = ${budget}::uuid and subject_id = ${subject}::uuid and period_start = ${period}::timestamptz`);
    }
  };

  return {
    async listBudgets() {
      const rows = await transaction.execute(sql`
        select * from budget where tenant_id = ${tenant} and subject <> 'session' and (user_id is null or user_id = ${user}::uuid)`);
      return rows.map(toBudget);
    },

    async open(call, claims) {
      let taken: Claimed[] = [];
      if (claims.length > 0) {
        await transaction.execute(sql`
          with ${claimed(claims)}
          insert into budget_use (tenant_id, budget_id, subject_id, period_start)
          select ${tenant}::uuid, budget_id, subject_id, period_start from claimed order by budget_id on conflict do nothing`);
        await transaction.execute(sql`
          with ${claimed(claims)}
          select 1 from budget_use u join claimed c using (budget_id, subject_id, period_start)
          where u.tenant_id = ${tenant} order by u.budget_id for update of u`);
        // A statement of its own: it sees what was used or held before the locks were had.
        const rows = await transaction.execute(sql`
          with ${claimed(claims)}
          select c.*, u.used, coalesce((
            select sum(h.amount) from budget_hold h
            where h.tenant_id = ${tenant} and h.budget_id = c.budget_id and h.subject_id = c.subject_id and h.period_start = c.period_start
          ), 0) as reserved
          from claimed c join budget_use u on u.tenant_id = ${tenant} and u.budget_id = c.budget_id
            and u.subject_id = c.subject_id and u.period_start = c.period_start`);
        taken = rows.map((row) => claimedRow.parse(row));
        const short = taken.find(({ hard_limit, used, reserved, needs }) => hard_limit !== null && used + reserved + needs > hard_limit);
        if (short) return toStanding(short);
      }
      const claimsTaken = taken.map(
        (row): TakenClaim => ({
          budget: row.budget_id,
          subject: row.subject_id,
          period: row.period_start.toISOString(),
          measure: row.measure,
          amount: row.needs,
        }),
      );
      await addToUse(claimsTaken);
      await transaction.insert(embeddingCall).values({
        tenantId,
        id: call.id,
        provider: call.spec.provider,
        model: call.spec.model,
        purpose: call.purpose,
        userId: scope.userId ?? null,
        textCount: call.textCount,
        inputTokens: call.inputTokens,
        isEstimated: true,
        costMicros: costOf(call, call.inputTokens),
        currency: call.price?.currency ?? null,
        claims: claimsTaken,
        outcome: 'open',
        startedAt: call.startedAt,
      });
      return null;
    },

    async close(call, { inputTokens, isEstimated, outcome, durationMs }) {
      const cost = costOf(call, inputTokens);
      const [row] = await transaction
        .update(embeddingCall)
        .set({ inputTokens, isEstimated, costMicros: cost, outcome, durationMs })
        .where(and(eq(embeddingCall.tenantId, tenantId), eq(embeddingCall.id, call.id), eq(embeddingCall.outcome, 'open')))
        .returning({ claims: embeddingCall.claims });
      if (!row) return;
      const corrections = takenClaims.parse(row.claims).map((claim) => ({
        ...claim,
        amount: (claim.measure === 'tokens' ? inputTokens : (cost ?? claim.amount)) - claim.amount,
      }));
      await addToUse(corrections.filter(({ amount }) => amount !== 0));
    },
  };
}

function costOf({ price }: EmbeddingCall, inputTokens: number): number | null {
  const nothing = { cachedInputTokens: 0, cacheWriteTokens: 0, outputTokens: 0, reasoningTokens: 0, isEstimated: true };
  return costMicros({ inputTokens, ...nothing }, price);
}

function toStanding(row: Claimed): BudgetStanding {
  return {
    budgetId: fromUuid('budget', row.budget_id),
    used: row.used,
    reserved: row.reserved,
    held: 0,
    needs: row.needs,
    softLimit: row.soft_limit,
    hardLimit: row.hard_limit,
    endsAt: row.ends_at,
  };
}
