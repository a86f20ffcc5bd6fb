import { sql } from 'drizzle-orm';
import { boolean, foreignKey, index, integer, pgTable, primaryKey, unique } from 'drizzle-orm/pg-core';
import { createdAt, id, instant, jsonbValue, tenantPolicy, text } from '../columns.ts';
import { appUser, tenant } from './tenants.ts';

/** A chat. Memory line A keeps its events (requirement P-26), the transcript what people see. */
export const agentSession = pgTable(
  'agent_session',
  {
    tenantId: id('tenant')
      .notNull()
      .references(() => tenant.id, { onDelete: 'cascade' }),
    id: id('session').primaryKey(),
    userId: id('user')
      .notNull()
      .references(() => appUser.id),
    preset: text().notNull(),
    state: text().notNull(),
    title: text().notNull(),
    /** f(tenant, session): the thread under which checkpoints of this session are kept (requirement P-09). */
    checkpointThreadId: text().notNull().unique(),
    isPinned: boolean().notNull().default(false),
    /** Made for one task that a run has handed on: it is no chat of its person's list, and closed with its run. */
    isTask: boolean().notNull().default(false),
    archivedAt: instant(),
    /** When its person removed it; runs and record stay for auditors. */
    deletedAt: instant(),
    /** Numbers the entries of `session_event`; raised under the row's lock. */
    eventSeq: integer().notNull().default(0),
    /** Numbers the turns of the model's memory. */
    turnSeq: integer().notNull().default(0),
    createdAt: createdAt(),
    updatedAt: createdAt(),
  },
  (table) => [
    unique().on(table.tenantId, table.id),
    // The chat list: a person's sessions, newest first.
    index('agent_session_list').on(table.tenantId, table.userId, table.updatedAt.desc(), table.id.desc()),
    tenantPolicy('agent_session'),
  ],
);

/** Append-only: what happened to a session, in its own order. */
export const sessionEvent = pgTable(
  'session_event',
  {
    tenantId: id('tenant').notNull(),
    sessionId: id('session').notNull(),
    seq: integer().notNull(),
    type: text().notNull(),
    at: createdAt(),
    payload: jsonbValue().notNull(),
  },
  (table) => [
    unique().on(table.tenantId, table.sessionId, table.seq),
    foreignKey({ columns: [table.tenantId, table.sessionId], foreignColumns: [agentSession.tenantId, agentSession.id] }).onDelete(
      'cascade',
    ),
    tenantPolicy('session_event'),
  ],
);

/** The transcript people see: written at submit, kept whatever the end. */
export const message = pgTable(
  'message',
  {
    tenantId: id('tenant').notNull(),
    id: id('message').primaryKey(),
    sessionId: id('session').notNull(),
    /** The run it asked for or was said by. */
    runId: id('run').notNull(),
    /** The message it follows; null for the first. Branches share a parent. */
    parentId: id('message'),
    role: text().notNull(),
    text: text().notNull(),
    state: text().notNull(),
    /** Since when the person wants its exchange kept word for word; null: it may be summarised. */
    pinnedAt: instant(),
    createdAt: createdAt(),
  },
  (table) => [
    unique().on(table.tenantId, table.id),
    foreignKey({ columns: [table.tenantId, table.sessionId], foreignColumns: [agentSession.tenantId, agentSession.id] }).onDelete(
      'cascade',
    ),
    // The exchanges that every call of a model is to have.
    index('message_pinned').on(table.tenantId, table.sessionId).where(sql`pinned_at is not null`),
    // The transcript; ids are time-ordered.
    index('message_transcript').on(table.tenantId, table.sessionId, table.id),
    tenantPolicy('message'),
  ],
);

/** The model's memory (line B): USER and ASSISTANT rows of a turn, written together after FINISH_OK only. */
export const agentConversationMessage = pgTable(
  'agent_conversation_message',
  {
    tenantId: id('tenant').notNull(),
    sessionId: id('session').notNull(),
    agentId: text().notNull(),
    turnSeq: integer().notNull(),
    role: text().notNull(),
    content: text().notNull(),
    metadata: jsonbValue().notNull(),
    runId: id('run').notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    unique().on(table.tenantId, table.sessionId, table.agentId, table.turnSeq, table.role),
    foreignKey({ columns: [table.tenantId, table.sessionId], foreignColumns: [agentSession.tenantId, agentSession.id] }).onDelete(
      'cascade',
    ),
    tenantPolicy('agent_conversation_message'),
  ],
);

/**
 * Append-only: what a conversation came to when a part of it had to leave the model's room (requirements H-06, H-07). The
 * newest one above a message stands for the turns it covers; the turns themselves stay where they are.
 */
export const conversationSummary = pgTable(
  'conversation_summary',
  {
    tenantId: id('tenant').notNull(),
    sessionId: id('session').notNull(),
    /** The run that had no room, and where in it. */
    runId: id('run').notNull(),
    path: text().notNull(),
    agentId: text().notNull(),
    /** The last turn it covers, and the run that answered it; null where only steps of the run itself left. */
    throughTurnSeq: integer(),
    throughRunId: id('run'),
    /** Of earlier turns; null where none left. */
    summary: text(),
    /** Of earlier steps of the run; null where none left. */
    progress: text(),
    /** `model` or `extract`. */
    source: text().notNull(),
    /** The turns that left: {runId, asked}. */
    turns: jsonbValue().notNull(),
    stepCount: integer().notNull(),
    tokensBefore: integer().notNull(),
    tokensAfter: integer().notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.runId, table.path] }),
    foreignKey({ columns: [table.tenantId, table.sessionId], foreignColumns: [agentSession.tenantId, agentSession.id] }).onDelete(
      'cascade',
    ),
    // The newest of a session's agent, and all of a transcript.
    index('conversation_summary_newest').on(table.tenantId, table.sessionId, table.agentId, table.throughTurnSeq.desc()),
    tenantPolicy('conversation_summary'),
  ],
);
