import { index, pgTable, unique } from 'drizzle-orm/pg-core';
import { createdAt, id, tenantPolicy, text } from '../columns.ts';
import { tenant } from './tenants.ts';

/** Append-only: the app role may insert and select, never update or delete. */
export const auditEvent = pgTable(
  'audit_event',
  {
    tenantId: id('tenant')
      .notNull()
      .references(() => tenant.id, { onDelete: 'cascade' }),
    id: id('audit').primaryKey(),
    at: createdAt(),
    type: text().notNull(),
    /** `user`, `api-key`, `system` or `unknown`. */
    actorKind: text().notNull(),
    actorId: text().notNull(),
    targetKind: text().notNull(),
    targetId: text().notNull(),
    /** Set when the event belongs to a run. */
    runId: id('run'),
    /** Canonical JSON of the whole event; text, so that its hash holds byte for byte. */
    payload: text().notNull(),
    /** SHA-256 of the payload, hex: what a chain is sealed over. */
    hash: text().notNull(),
  },
  (table) => [
    unique().on(table.tenantId, table.id),
    // The activity list, newest first, is read by the key above, backwards.
    index('audit_event_run').on(table.tenantId, table.runId),
    // The activity list by what was done, by who did it, and by what it was done to.
    index('audit_event_list_of_type').on(table.tenantId, table.type, table.id),
    index('audit_event_list_of_actor').on(table.tenantId, table.actorId, table.id),
    index('audit_event_list_of_target').on(table.tenantId, table.targetKind, table.targetId, table.id),
    tenantPolicy('audit_event'),
  ],
);

/** Platform table: what happened outside any tenant (failed sign-ins, calls without a tenant). Append-only. */
export const platformAudit = pgTable('platform_audit', {
  id: id('audit').primaryKey(),
  at: createdAt(),
  type: text().notNull(),
  actorKind: text().notNull(),
  actorId: text().notNull(),
  targetKind: text().notNull(),
  targetId: text().notNull(),
  payload: text().notNull(),
  hash: text().notNull(),
});
