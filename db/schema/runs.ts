import { sql } from 'drizzle-orm';
import { bigint, foreignKey, index, integer, pgTable, primaryKey, unique, uniqueIndex } from 'drizzle-orm/pg-core';
import { createdAt, id, instant, jsonbValue, tenantPolicy, text } from '../columns.ts';
import { agentSession } from './conversations.ts';
import { appUser } from './tenants.ts';

export const run = pgTable(
  'run',
  {
    tenantId: id('tenant').notNull(),
    id: id('run').primaryKey(),
    sessionId: id('session').notNull(),
    userId: id('user')
      .notNull()
      .references(() => appUser.id),
    /** Set when an API key asked; the run then has no more than the key's scopes. */
    apiKeyId: id('apiKey'),
    messageId: id('message').notNull(),
    preset: text().notNull(),
    input: text().notNull(),
    locale: text().notNull(),
    timeZone: text().notNull(),
    state: text().notNull(),
    /** `deterministic` or `llm`; null until the first segment has chosen. */
    path: text(),
    graph: text(),
    pathReasonCode: text(),
    pathReasonText: text(),
    ontologyRevision: text(),
    plan: jsonbValue(),
    answer: text(),
    errorCode: text(),
    errorMessage: text(),
    /** Raised at each segment start; writes of an older epoch are refused. */
    epoch: integer().notNull().default(0),
    /** The last segment that was enqueued, from 1. */
    segment: integer().notNull().default(1),
    /** Version of the record format; rows are upgraded when read. */
    format: integer().notNull().default(1),
    eventSeq: integer().notNull().default(0),
    stepCount: integer().notNull().default(0),
    callsSucceeded: integer().notNull().default(0),
    callsFailed: integer().notNull().default(0),
    /** Work done so far, waiting for people not counted. */
    workedMs: bigint({ mode: 'number' }).notNull().default(0),
    timeLimitMs: integer().notNull(),
    /** Set once a stop was asked for: no step starts after it. */
    cancelRequestedAt: instant(),
    cancelRequestedBy: id('user'),
    /** Of a run that another has handed a task to: that run, its call, and the number of the task in it. */
    parentRunId: id('run'),
    parentInvocationId: id('invocation'),
    taskIndex: integer(),
    /** The first of its line, which a person has asked for; null: this one. */
    rootRunId: id('run'),
    rootSessionId: id('session'),
    /** What the client named its request; a repeat answers the first run. */
    idempotencyKey: text(),
    /** SHA-256 of the request the key was first used for. */
    requestHash: text(),
    createdAt: createdAt(),
    startedAt: instant(),
    endedAt: instant(),
    /** From the start of work to the end; null while the run goes on. */
    durationMs: bigint({ mode: 'number' }).generatedAlwaysAs(
      sql`case when ended_at is not null then (extract(epoch from (ended_at - coalesce(started_at, created_at))) * 1000)::bigint end`,
    ),
    /** What its model calls cost, set at the end; null without a price for each of them in one currency. */
    costMicros: bigint({ mode: 'number' }),
    costCurrency: text(),
  },
  (table) => [
    unique().on(table.tenantId, table.id),
    foreignKey({ columns: [table.tenantId, table.sessionId], foreignColumns: [agentSession.tenantId, agentSession.id] }).onDelete(
      'cascade',
    ),
    foreignKey({ columns: [table.tenantId, table.parentRunId], foreignColumns: [table.tenantId, table.id] }).onDelete('cascade'),
    // A task is started once, however often its call is made.
    uniqueIndex('run_task')
      .on(table.tenantId, table.parentRunId, table.parentInvocationId, table.taskIndex)
      .where(sql`parent_run_id is not null`),
    // Whether a run of a session has to wait for one before it.
    index('run_waiting').on(table.tenantId, table.sessionId, table.id).where(sql`state = 'WAITING'`),
    uniqueIndex('run_idempotency').on(table.tenantId, table.sessionId, table.idempotencyKey).where(sql`idempotency_key is not null`),
    // The runs list, newest first (ids are time-ordered), with what it is filtered and counted by: both read the index alone.
    index('run_filter').on(
      table.tenantId,
      table.id,
      table.state,
      table.preset,
      table.userId,
      table.path,
      table.durationMs,
      table.costMicros,
      table.createdAt,
    ),
    // The runs list of one person, of one session; the queue place. Read backwards: an index of falling ids would put nulls
    // last, which is no order that Postgres would sort a list by.
    index('run_list_of_user').on(table.tenantId, table.userId, table.id),
    index('run_list_of_session').on(table.tenantId, table.sessionId, table.id),
    index('run_list_of_state').on(table.tenantId, table.state, table.id),
    // The reconciler: what should be moving.
    index('run_open').on(table.id).where(sql`state in ('QUEUED', 'RUNNING', 'WAITING')`),
    tenantPolicy('run'),
  ],
);

/** Append-only log of a run: everything that is shown comes from here. Text deltas are pruned an hour after the end. */
export const runEvent = pgTable(
  'run_event',
  {
    tenantId: id('tenant').notNull(),
    runId: id('run').notNull(),
    seq: integer().notNull(),
    type: text().notNull(),
    at: createdAt(),
    payload: jsonbValue().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.runId, table.seq] }),
    foreignKey({ columns: [table.tenantId, table.runId], foreignColumns: [run.tenantId, run.id] }).onDelete('cascade'),
    tenantPolicy('run_event'),
  ],
);

/** The output of a graph node, keyed by its path in the run: written once, so that a repeated write is a no-op. */
export const nodeRecord = pgTable(
  'node_record',
  {
    tenantId: id('tenant').notNull(),
    runId: id('run').notNull(),
    path: text().notNull(),
    output: jsonbValue().notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.runId, table.path] }),
    foreignKey({ columns: [table.tenantId, table.runId], foreignColumns: [run.tenantId, run.id] }).onDelete('cascade'),
    tenantPolicy('node_record'),
  ],
);

export const invocation = pgTable(
  'invocation',
  {
    tenantId: id('tenant').notNull(),
    id: id('invocation').primaryKey(),
    runId: id('run').notNull(),
    /** Where in the run: node path and call, `deterministic_pipeline/0`. */
    path: text().notNull(),
    step: integer().notNull(),
    capabilityId: text().notNull(),
    /** null when the capability is unknown. */
    capabilityVersion: text(),
    state: text().notNull(),
    attempt: integer().notNull().default(0),
    arguments: jsonbValue().notNull(),
    /** SHA-256 of version and canonical arguments. */
    argumentsHash: text().notNull(),
    /** Given to keyed capabilities; the same for every attempt. */
    idempotencyKey: text().notNull(),
    /** {output, text} of a call that succeeded. */
    result: jsonbValue(),
    errorCode: text(),
    errorMessage: text(),
    requestedAt: createdAt(),
    finishedAt: instant(),
  },
  (table) => [
    unique().on(table.tenantId, table.id),
    unique().on(table.tenantId, table.runId, table.path),
    foreignKey({ columns: [table.tenantId, table.runId], foreignColumns: [run.tenantId, run.id] }).onDelete('cascade'),
    // "Runs that called this capability."
    index('invocation_capability').on(table.tenantId, table.capabilityId, table.runId),
    tenantPolicy('invocation'),
  ],
);

export const invocationTransition = pgTable(
  'invocation_transition',
  {
    tenantId: id('tenant').notNull(),
    invocationId: id('invocation').notNull(),
    seq: integer().notNull(),
    /** null for the first. */
    fromState: text(),
    toState: text().notNull(),
    attempt: integer().notNull(),
    reason: text().notNull(),
    at: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.invocationId, table.seq] }),
    foreignKey({ columns: [table.tenantId, table.invocationId], foreignColumns: [invocation.tenantId, invocation.id] }).onDelete('cascade'),
    tenantPolicy('invocation_transition'),
  ],
);

/** What a run asks a person before it can go on. */
export const question = pgTable(
  'question',
  {
    tenantId: id('tenant').notNull(),
    id: id('question').primaryKey(),
    runId: id('run').notNull(),
    invocationId: id('invocation'),
    kind: text().notNull(),
    text: text().notNull(),
    options: jsonbValue().notNull(),
    state: text().notNull(),
    answer: text(),
    answeredBy: id('user'),
    createdAt: createdAt(),
    answeredAt: instant(),
  },
  (table) => [
    unique().on(table.tenantId, table.id),
    foreignKey({ columns: [table.tenantId, table.runId], foreignColumns: [run.tenantId, run.id] }).onDelete('cascade'),
    // A run waits for one answer at a time.
    uniqueIndex('question_open').on(table.tenantId, table.runId).where(sql`state = 'OPEN'`),
    tenantPolicy('question'),
  ],
);
