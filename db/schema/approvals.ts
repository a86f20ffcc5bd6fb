import { sql } from 'drizzle-orm';
import { boolean, foreignKey, index, pgTable, primaryKey, unique, uniqueIndex } from 'drizzle-orm/pg-core';
import { createdAt, id, instant, jsonbValue, tenantPolicy, text } from '../columns.ts';
import { agentSession } from './conversations.ts';
import { invocation, run } from './runs.ts';
import { appUser, tenant } from './tenants.ts';

/** A call that somebody has to decide about, and the decision. Written with the run's waiting; decided once. */
export const approval = pgTable(
  'approval',
  {
    tenantId: id('tenant').notNull(),
    id: id('approval').primaryKey(),
    runId: id('run').notNull(),
    invocationId: id('invocation').notNull(),
    capabilityId: text().notNull(),
    capabilityVersion: text().notNull(),
    /** What would run: as the call was made, or as somebody has changed it. */
    arguments: jsonbValue().notNull(),
    /** SHA-256 of version and arguments: the decision is for exactly these. */
    argumentsHash: text().notNull(),
    /** The arguments as the call was made, where somebody has changed them. */
    proposedArguments: jsonbValue(),
    risk: text().notNull(),
    reason: text().notNull(),
    /** Four eyes: whoever asked for the run may not allow it. */
    needsOther: boolean().notNull(),
    state: text().notNull(),
    requestedBy: id('user')
      .notNull()
      .references(() => appUser.id),
    createdAt: createdAt(),
    /** By the database's clock. A decision after it does not count. */
    expiresAt: instant().notNull(),
    decidedBy: id('user').references(() => appUser.id),
    decidedAt: instant(),
    /** `once` or `session`, of one that was allowed. */
    extent: text(),
    note: text(),
  },
  (table) => [
    unique().on(table.tenantId, table.id),
    foreignKey({ columns: [table.tenantId, table.runId], foreignColumns: [run.tenantId, run.id] }).onDelete('cascade'),
    foreignKey({ columns: [table.tenantId, table.invocationId], foreignColumns: [invocation.tenantId, invocation.id] }).onDelete('cascade'),
    index('approval_of_run').on(table.tenantId, table.runId),
    // A call waits for one decision at a time. Also the inbox.
    uniqueIndex('approval_open').on(table.tenantId, table.invocationId).where(sql`state = 'OPEN'`),
    index('approval_due').on(table.expiresAt).where(sql`state = 'OPEN'`),
    tenantPolicy('approval'),
  ],
);

/** What a tenant has set for a capability; without a row its risk decides. */
export const approvalPolicy = pgTable(
  'approval_policy',
  {
    tenantId: id('tenant')
      .notNull()
      .references(() => tenant.id, { onDelete: 'cascade' }),
    capabilityId: text().notNull(),
    /** `never`, `ask` or `forbid`; null: by risk. */
    mode: text(),
    needsOther: boolean().notNull(),
    updatedBy: id('user')
      .notNull()
      .references(() => appUser.id),
    updatedAt: createdAt(),
  },
  (table) => [primaryKey({ columns: [table.tenantId, table.capabilityId] }), tenantPolicy('approval_policy')],
);

/** What somebody has allowed for the rest of a session. */
export const approvalGrant = pgTable(
  'approval_grant',
  {
    tenantId: id('tenant').notNull(),
    id: id('approvalGrant').primaryKey(),
    sessionId: id('session').notNull(),
    capabilityId: text().notNull(),
    capabilityVersion: text().notNull(),
    /** Arguments that must be exactly these. */
    sameArguments: jsonbValue().notNull(),
    grantedBy: id('user')
      .notNull()
      .references(() => appUser.id),
    createdAt: createdAt(),
    revokedBy: id('user').references(() => appUser.id),
    revokedAt: instant(),
  },
  (table) => [
    unique().on(table.tenantId, table.id),
    foreignKey({ columns: [table.tenantId, table.sessionId], foreignColumns: [agentSession.tenantId, agentSession.id] }).onDelete(
      'cascade',
    ),
    index('approval_grant_of_session').on(table.tenantId, table.sessionId).where(sql`revoked_at is null`),
    tenantPolicy('approval_grant'),
  ],
);
