import { sql } from 'drizzle-orm';
import { boolean, foreignKey, index, integer, pgTable, primaryKey, unique, uuid } from 'drizzle-orm/pg-core';
import { createdAt, id, instant, jsonbValue, tenantPolicy, text } from '../columns.ts';
import { run } from './runs.ts';
import { appUser, tenant, tenantMember } from './tenants.ts';

/** Something that people are told of; written with what it tells of, spread to its recipients by a job. */
export const notice = pgTable(
  'notice',
  {
    tenantId: id('tenant')
      .notNull()
      .references(() => tenant.id, { onDelete: 'cascade' }),
    id: id('notice').primaryKey(),
    kind: text().notNull(),
    /** What is told once: of an approval its id; of a budget its limit, its period and whose it is. */
    key: text().notNull(),
    /** The approval, the question or the budget; null for a test. */
    subjectId: uuid(),
    /** null for a test. */
    runId: id('run'),
    /** Whose run it is, or who tests. */
    userId: id('user')
      .notNull()
      .references(() => appUser.id),
    /** How a budget stood; null for all else. */
    details: jsonbValue(),
    createdAt: createdAt(),
    /** When its deliveries were made; null until then. */
    spreadAt: instant(),
  },
  (table) => [
    unique().on(table.tenantId, table.id),
    unique('notice_once').on(table.tenantId, table.key),
    foreignKey({ columns: [table.tenantId, table.runId], foreignColumns: [run.tenantId, run.id] }).onDelete('cascade'),
    // What goes with a run that is deleted.
    index('notice_of_run').on(table.tenantId, table.runId),
    index('notice_unspread').on(table.id).where(sql`spread_at is null`),
    // What is old enough to be deleted.
    index('notice_age').on(table.createdAt),
    tenantPolicy('notice'),
  ],
);

/** A notice on its way to one recipient by one channel. It is a job too: whoever holds its lease makes the attempt. */
export const noticeDelivery = pgTable(
  'notice_delivery',
  {
    tenantId: id('tenant').notNull(),
    id: id('delivery').primaryKey(),
    noticeId: id('notice').notNull(),
    /** `mail` or `webhook`. */
    channel: text().notNull(),
    /** null: the webhook. */
    userId: id('user').references(() => appUser.id),
    state: text().notNull(),
    attemptCount: integer().notNull().default(0),
    attemptLimit: integer().notNull(),
    /** Whether an admin had it sent once more. */
    isRepeat: boolean().notNull().default(false),
    createdAt: createdAt(),
    nextAttemptAt: instant().notNull(),
    /** Until when the one that makes an attempt is left alone; null: nobody does. */
    leasedUntil: instant(),
    endedAt: instant(),
  },
  (table) => [
    unique().on(table.tenantId, table.id),
    // One of each, whoever spreads the notice.
    unique('notice_delivery_once').on(table.tenantId, table.noticeId, table.channel, table.userId).nullsNotDistinct(),
    foreignKey({ columns: [table.tenantId, table.noticeId], foreignColumns: [notice.tenantId, notice.id] }).onDelete('cascade'),
    // The log of a tenant, newest first.
    index('notice_delivery_log').on(table.tenantId, table.id),
    index('notice_delivery_due').on(table.nextAttemptAt).where(sql`state = 'PENDING'`),
    tenantPolicy('notice_delivery'),
  ],
);

/** Every attempt to deliver. Append-only. */
export const noticeAttempt = pgTable(
  'notice_attempt',
  {
    tenantId: id('tenant').notNull(),
    deliveryId: id('delivery').notNull(),
    ordinal: integer().notNull(),
    at: instant().notNull(),
    ok: boolean().notNull(),
    /** Of HTTP or SMTP; null where there was no answer. */
    status: integer(),
    detail: text().notNull(),
    durationMs: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.deliveryId, table.ordinal] }),
    foreignKey({ columns: [table.tenantId, table.deliveryId], foreignColumns: [noticeDelivery.tenantId, noticeDelivery.id] }).onDelete(
      'cascade',
    ),
    tenantPolicy('notice_attempt'),
  ],
);

/** Where a tenant has its notices posted. */
export const noticeWebhook = pgTable(
  'notice_webhook',
  {
    tenantId: id('tenant')
      .primaryKey()
      .references(() => tenant.id, { onDelete: 'cascade' }),
    url: text().notNull(),
    kinds: text().array().notNull(),
    isEnabled: boolean().notNull(),
    encryptedSecret: text().notNull(),
    keyId: text().notNull(),
    /** The secret before this one, sealed; null: there was none. */
    earlierSecret: text(),
    earlierKeyId: text(),
    /** Until when it signs too. */
    earlierUntil: instant(),
    updatedAt: createdAt(),
    updatedBy: id('user').references(() => appUser.id),
  },
  () => [tenantPolicy('notice_webhook')],
);

/** Of what a member wants to be told by mail; who has no row is told of everything. */
export const noticePreference = pgTable(
  'notice_preference',
  {
    tenantId: id('tenant').notNull(),
    userId: id('user').notNull(),
    approvals: boolean().notNull(),
    questions: boolean().notNull(),
    budgets: boolean().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.userId] }),
    foreignKey({
      name: 'notice_preference_member',
      columns: [table.tenantId, table.userId],
      foreignColumns: [tenantMember.tenantId, tenantMember.userId],
    }).onDelete('cascade'),
    tenantPolicy('notice_preference'),
  ],
);
