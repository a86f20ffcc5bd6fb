import { sql } from 'drizzle-orm';
import { bigint, check, foreignKey, index, pgTable, primaryKey, unique, uuid } from 'drizzle-orm/pg-core';
import { createdAt, id, instant, tenantPolicy, text } from '../columns.ts';
import { run } from './runs.ts';
import { tenant, tenantMember } from './tenants.ts';

/** How much of something may be used: by everyone together, by each person or one of them, by each chat. */
export const budget = pgTable(
  'budget',
  {
    tenantId: id('tenant')
      .notNull()
      .references(() => tenant.id, { onDelete: 'cascade' }),
    id: id('budget').primaryKey(),
    /** `tenant`, `user` or `session`. */
    subject: text().notNull(),
    /** The one person it is for; null: no one in particular. */
    userId: id('user'),
    /** `tokens` or `money`. */
    measure: text().notNull(),
    /** Of money alone. */
    currency: text(),
    /** `day`, `month` or `total`; by the tenant's time zone. */
    period: text().notNull(),
    /** Tokens, or micro-units of the currency. null: there is none. */
    softLimit: bigint({ mode: 'number' }),
    hardLimit: bigint({ mode: 'number' }),
    createdAt: createdAt(),
    updatedAt: createdAt(),
    updatedBy: id('user'),
  },
  (table) => [
    unique().on(table.tenantId, table.id),
    // One for each, so that it is plain which holds; also the list of a tenant.
    unique('budget_of_one_kind')
      .on(table.tenantId, table.subject, table.userId, table.measure, table.currency, table.period)
      .nullsNotDistinct(),
    foreignKey({
      name: 'budget_member',
      columns: [table.tenantId, table.userId],
      foreignColumns: [tenantMember.tenantId, tenantMember.userId],
    }).onDelete('cascade'),
    check('budget_has_limit', sql`${table.softLimit} is not null or ${table.hardLimit} is not null`),
    tenantPolicy('budget'),
  ],
);

/** What was used of a budget in one of its periods. Whoever reserves locks this row first. */
export const budgetUse = pgTable(
  'budget_use',
  {
    tenantId: id('tenant').notNull(),
    budgetId: id('budget').notNull(),
    /** The tenant, the person or the session: as the budget's subject says. */
    subjectId: uuid().notNull(),
    periodStart: instant().notNull(),
    used: bigint({ mode: 'number' }).notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.budgetId, table.periodStart, table.subjectId] }),
    foreignKey({ columns: [table.tenantId, table.budgetId], foreignColumns: [budget.tenantId, budget.id] }).onDelete('cascade'),
    tenantPolicy('budget_use'),
  ],
);

/** What a model call that is under way holds of a budget. It leaves with the record of the call, or with the end of its run. */
export const budgetHold = pgTable(
  'budget_hold',
  {
    tenantId: id('tenant').notNull(),
    runId: id('run').notNull(),
    /** Of the call in its run. */
    path: text().notNull(),
    budgetId: id('budget').notNull(),
    subjectId: uuid().notNull(),
    periodStart: instant().notNull(),
    amount: bigint({ mode: 'number' }).notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.runId, table.path, table.budgetId] }),
    foreignKey({ columns: [table.tenantId, table.runId], foreignColumns: [run.tenantId, run.id] }).onDelete('cascade'),
    foreignKey({ columns: [table.tenantId, table.budgetId], foreignColumns: [budget.tenantId, budget.id] }).onDelete('cascade'),
    // What others hold of the same.
    index('budget_hold_use').on(table.tenantId, table.budgetId, table.periodStart, table.subjectId),
    tenantPolicy('budget_hold'),
  ],
);
