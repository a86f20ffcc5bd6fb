import { bigint, boolean, customType, foreignKey, index, integer, pgTable, primaryKey, unique } from 'drizzle-orm/pg-core';
import { createdAt, id, instant, jsonbValue, tenantPolicy, text } from '../columns.ts';
import { run } from './runs.ts';
import { appUser, tenant } from './tenants.ts';

/** Compared byte by byte, so that a range of the index is the words that begin so. */
const token = customType<{ data: string; driverData: string }>({ dataType: () => 'text collate "C"' });

/**
 * The words of a run's message, without what is personal in it: what the runs list is searched by. A table of its own, since
 * row-level security keeps Postgres from using an index of any other kind for words.
 */
export const runWord = pgTable(
  'run_word',
  {
    tenantId: id('tenant').notNull(),
    token: token().notNull(),
    runId: id('run').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.token, table.runId] }),
    foreignKey({ columns: [table.tenantId, table.runId], foreignColumns: [run.tenantId, run.id] }).onDelete('cascade'),
    // Whether a run has a word, read from the index alone; what goes with a run that is deleted.
    index('run_word_run').on(table.tenantId, table.runId, table.token),
    tenantPolicy('run_word'),
  ],
);

/** Who was shown a run in plain, why, and until when. Append-only: a right that was used stays on the record. */
export const runReveal = pgTable(
  'run_reveal',
  {
    tenantId: id('tenant').notNull(),
    id: id('reveal').primaryKey(),
    runId: id('run').notNull(),
    userId: id('user')
      .notNull()
      .references(() => appUser.id),
    reason: text().notNull(),
    createdAt: createdAt(),
    expiresAt: instant().notNull(),
  },
  (table) => [
    unique().on(table.tenantId, table.id),
    foreignKey({ columns: [table.tenantId, table.runId], foreignColumns: [run.tenantId, run.id] }).onDelete('cascade'),
    // Whether this person is shown this run in plain now.
    index('run_reveal_of_person').on(table.tenantId, table.runId, table.userId, table.expiresAt),
    tenantPolicy('run_reveal'),
  ],
);

/** A file that is being made of runs, or was. It is a job too: whoever holds its lease writes the next part. */
export const runExport = pgTable(
  'run_export',
  {
    tenantId: id('tenant')
      .notNull()
      .references(() => tenant.id, { onDelete: 'cascade' }),
    id: id('export').primaryKey(),
    userId: id('user')
      .notNull()
      .references(() => appUser.id),
    /** `json` or `csv`. */
    format: text().notNull(),
    hasBom: boolean().notNull(),
    /** Set for the export of one run. */
    runId: id('run'),
    /** The filters of the set, as the runs list takes them. */
    query: jsonbValue().notNull(),
    /** `redacted` or `plain`; also in the file's name. */
    redaction: text().notNull(),
    fileName: text().notNull(),
    state: text().notNull(),
    /** The last run that has been written; null before the first. */
    lastRunId: id('run'),
    /** The newest run of the set: what begins later is not in the file. */
    firstRunId: id('run'),
    runCount: integer().notNull().default(0),
    /** null until they were counted. */
    totalCount: integer(),
    partCount: integer().notNull().default(0),
    byteCount: bigint({ mode: 'number' }).notNull().default(0),
    errorMessage: text(),
    /** Raised whenever a process takes the export on; writes of an older one are refused. */
    epoch: integer().notNull().default(0),
    /** Until when the one that writes it is left alone; null: nobody does. */
    leasedUntil: instant(),
    createdAt: createdAt(),
    endedAt: instant(),
    /** When the file is deleted; null while it is made. */
    expiresAt: instant(),
  },
  (table) => [
    unique().on(table.tenantId, table.id),
    // The exports of one person, newest first.
    index('run_export_of_person').on(table.tenantId, table.userId, table.id),
    // What should be moving, or be deleted.
    index('run_export_state').on(table.state, table.id),
    tenantPolicy('run_export'),
  ],
);

/** A piece of an export's file. */
export const runExportPart = pgTable(
  'run_export_part',
  {
    tenantId: id('tenant').notNull(),
    exportId: id('export').notNull(),
    ordinal: integer().notNull(),
    body: text().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.exportId, table.ordinal] }),
    foreignKey({ columns: [table.tenantId, table.exportId], foreignColumns: [runExport.tenantId, runExport.id] }).onDelete('cascade'),
    tenantPolicy('run_export_part'),
  ],
);
