import { and, eq, sql } from 'drizzle-orm';
import { z } from 'zod';
import { AppError, fromUuid, type Id, toUuid } from '#lib/kernel/index.ts';
import type { BudgetStore, BudgetView } from '#lib/models/index.ts';
import { agentSession, budget } from '../schema/index.ts';
import type { TenantBinding } from '../tenant-binding.ts';
import { PERIOD_END, PERIOD_START, toBudget } from './budget-rows.ts';
import { orIfTaken } from './database-error.ts';

/** Of each budget so many are shown. */
const SHOWN_USES = 10;

const useRow = z.object({ id: z.string(), name: z.string().nullable(), used: z.coerce.number(), reserved: z.coerce.number() });
const changeRow = z.object({ updated_at: z.coerce.date(), updated_by: z.string().nullable() });
const viewRow = z.object({
  person_name: z.string().nullable(),
  updated_by_name: z.string().nullable(),
  updated_at: z.coerce.date(),
  ends_at: z.coerce.date().nullable(),
  uses: z.array(useRow),
});

export function bindBudgetStore({ transaction, scope, clock }: TenantBinding): BudgetStore {
  const { tenantId } = scope;
  const tenant = toUuid(tenantId);
  const one = (id: Id<'budget'>) => and(eq(budget.tenantId, tenantId), eq(budget.id, id));
  const moment = () => sql`(select ${clock.now().toISOString()}::timestamptz as now) as moment`;

  /** With `of`, the budgets that hold for one person's chat, and what that person, chat and everyone have used of them. */
  async function view(of: { sessionId: Id<'session'>; userId: Id<'user'> } | null): Promise<BudgetView[]> {
    const [session, user] = of ? [toUuid(of.sessionId), toUuid(of.userId)] : [null, null];
    const rows = await transaction.execute(sql`
      with shown as (
        select b.*, ${sql.raw(PERIOD_START)} as period_start, ${sql.raw(PERIOD_END)} as ends_at
        from ${moment()}, budget b join tenant t on t.id = b.tenant_id
        where b.tenant_id = ${tenant} and (${user}::uuid is null or b.user_id is null or b.user_id = ${user}::uuid)
      )
      select s.*, person.name as person_name, setter.name as updated_by_name, coalesce(u.uses, '[]') as uses
      from shown s
      left join app_user person on person.id = s.user_id
      left join app_user setter on setter.id = s.updated_by
      left join lateral (
        select jsonb_agg(jsonb_build_object('id', subject_id, 'name', name, 'used', used, 'reserved', reserved) order by used desc, name) as uses
        from (
          select u.subject_id, u.used, coalesce(p.name, nullif(c.title, '')) as name, coalesce((
            select sum(h.amount) from budget_hold h
            where h.tenant_id = ${tenant} and h.budget_id = u.budget_id and h.subject_id = u.subject_id and h.period_start = u.period_start
          ), 0) as reserved
          from budget_use u
          left join app_user p on s.subject = 'user' and p.id = u.subject_id
          left join agent_session c on s.subject = 'session' and c.tenant_id = u.tenant_id and c.id = u.subject_id
          where u.tenant_id = ${tenant} and u.budget_id = s.id and u.period_start = s.period_start
            and (${user}::uuid is null or u.subject_id in (u.tenant_id, ${user}::uuid, ${session}::uuid))
          order by u.used desc limit ${SHOWN_USES}
        ) as most
      ) as u on true
      order by array_position(array['tenant', 'user', 'session'], s.subject), s.user_id nulls first, s.measure, s.period`);
    return rows.map(toView);
  }

  return {
    view: () => view(null),
    viewOfSession: (sessionId, userId) => view({ sessionId, userId }),

    async find(id) {
      const rows = await transaction.execute(sql`select * from budget where tenant_id = ${tenant} and id = ${toUuid(id)}`);
      const [row] = rows;
      if (!row) return null;
      const { updated_at, updated_by } = changeRow.parse(row);
      return { ...toBudget(row), updatedAt: updated_at, updatedBy: updated_by === null ? null : fromUuid('user', updated_by) };
    },

    async add(record) {
      await orIfTaken(
        transaction.insert(budget).values({ tenantId, ...record, createdAt: record.updatedAt }),
        () => new AppError({ code: 'conflict', message: 'There is a budget for the same already. Change its limits.' }),
      );
      await transaction.execute(sql`
        insert into budget_use (tenant_id, budget_id, subject_id, period_start, used)
        select m.tenant_id, s.id, case s.subject when 'tenant' then m.tenant_id when 'user' then m.user_id else m.session_id end, s.period_start,
          sum(case s.measure when 'money' then case when m.currency = s.currency then coalesce(m.cost_micros, 0) else 0 end
            else m.tokens end)
        from (
          select b.*, ${sql.raw(PERIOD_START)} as period_start
          from ${moment()}, budget b join tenant t on t.id = b.tenant_id where b.tenant_id = ${tenant} and b.id = ${toUuid(record.id)}
        ) as s
        join (
          select c.tenant_id, r.user_id, r.session_id, c.currency, c.cost_micros, c.started_at,
            c.input_tokens::bigint + c.cached_input_tokens + c.cache_write_tokens + c.output_tokens + c.reasoning_tokens as tokens
          from model_call c join run r on r.tenant_id = c.tenant_id and r.id = c.run_id where c.tenant_id = ${tenant}
          union all
          select tenant_id, user_id, null, currency, cost_micros, started_at, input_tokens from embedding_call where tenant_id = ${tenant}
        ) as m on m.started_at >= s.period_start
        where (s.user_id is null or m.user_id = s.user_id)
          and (s.subject = 'tenant' or (s.subject = 'user' and m.user_id is not null) or (s.subject = 'session' and m.session_id is not null))
        group by 1, 2, 3, 4`);
    },

    async setLimits(id, { softLimit, hardLimit }, by) {
      await transaction.update(budget).set({ softLimit, hardLimit, updatedAt: clock.now(), updatedBy: by }).where(one(id));
    },

    async remove(id) {
      await transaction.delete(budget).where(one(id));
    },

    async findMemberName(userId) {
      const rows = await transaction.execute(sql`
        select coalesce(u.name, '') as name from tenant_member m join app_user u on u.id = m.user_id
        where m.tenant_id = ${tenant} and m.user_id = ${toUuid(userId)}`);
      return rows[0] ? String(rows[0].name) : null;
    },

    async isSessionOf(sessionId, userId) {
      const rows = await transaction
        .select({ id: agentSession.id })
        .from(agentSession)
        .where(
          and(
            eq(agentSession.tenantId, tenantId),
            eq(agentSession.id, sessionId),
            eq(agentSession.userId, userId),
            sql`${agentSession.deletedAt} is null`,
          ),
        );
      return rows.length > 0;
    },
  };
}

function toView(row: Record<string, unknown>): BudgetView {
  const held = toBudget(row);
  const { person_name, updated_by_name, updated_at, ends_at, uses } = viewRow.parse(row);
  return {
    id: held.id,
    subject: held.subject,
    person: held.userId === null ? null : { userId: held.userId, name: person_name },
    measure: held.measure,
    currency: held.currency,
    period: held.period,
    softLimit: held.softLimit,
    hardLimit: held.hardLimit,
    endsAt: ends_at?.toISOString() ?? null,
    uses: uses.map((use) => ({ ...use, id: fromUuid(held.subject, use.id) })),
    updatedAt: updated_at.toISOString(),
    updatedBy: updated_by_name,
  };
}
