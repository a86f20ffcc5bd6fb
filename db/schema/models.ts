import { sql } from 'drizzle-orm';
import { bigint, boolean, foreignKey, index, integer, pgTable, primaryKey, unique, uniqueIndex } from 'drizzle-orm/pg-core';
import { createdAt, id, instant, jsonbValue, tenantPolicy, text } from '../columns.ts';
import { run } from './runs.ts';
import { tenant } from './tenants.ts';

/** What a model answered to one call of a run: the record a run carries on from, and what usage is counted from. */
export const modelCall = pgTable(
  'model_call',
  {
    tenantId: id('tenant').notNull(),
    runId: id('run').notNull(),
    /** Where in the run: `platform_supervisor/m0`. */
    path: text().notNull(),
    agentId: text().notNull(),
    provider: text().notNull(),
    model: text().notNull(),
    /** What it was for: `answer`, or `summary` of what had no room. */
    scene: text().notNull().default('answer'),
    /** What was sent by class, in tokens as we count them, and the room there was; null: of before this was kept. */
    context: jsonbValue(),
    /** Content, calls and finish reason, as the next call needs them. */
    response: jsonbValue().notNull(),
    /** Classes that do not overlap; their sum is the total. */
    inputTokens: integer().notNull(),
    cachedInputTokens: integer().notNull(),
    cacheWriteTokens: integer().notNull(),
    outputTokens: integer().notNull(),
    reasoningTokens: integer().notNull(),
    /** The provider reported no usage: counted by us. */
    isEstimated: boolean().notNull(),
    /** Micro-units of `currency`; null: no price was set. */
    costMicros: bigint({ mode: 'number' }),
    currency: text(),
    attempts: integer().notNull(),
    /** null when the answer was empty. */
    firstPartMs: integer(),
    durationMs: integer().notNull(),
    startedAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.runId, table.path] }),
    foreignKey({ columns: [table.tenantId, table.runId], foreignColumns: [run.tenantId, run.id] }).onDelete('cascade'),
    // Usage of a tenant over time.
    index('model_call_usage').on(table.tenantId, table.startedAt),
    tenantPolicy('model_call'),
  ],
);

/** A provider a tenant has set up. */
export const modelProvider = pgTable(
  'model_provider',
  {
    tenantId: id('tenant')
      .notNull()
      .references(() => tenant.id, { onDelete: 'cascade' }),
    id: id('modelProvider').primaryKey(),
    kind: text().notNull(),
    name: text().notNull(),
    /** null: the provider's own address. */
    baseUrl: text(),
    model: text().notNull(),
    /** Temperature and the like; absent keys are the provider's defaults. */
    settings: jsonbValue().notNull(),
    /** AES-256-GCM under the key named by `keyId`; null where no key is needed. Never read back to a person. */
    encryptedKey: text(),
    keyId: text(),
    keyHint: text(),
    keySetAt: instant(),
    keySetBy: id('user'),
    /** The one runs use. */
    isDefault: boolean().notNull().default(false),
    createdAt: createdAt(),
    updatedAt: createdAt(),
    updatedBy: id('user'),
    /** The last test: {at, reach, authenticate, call}; null: never tested. */
    lastTest: jsonbValue(),
    lastTestAt: instant(),
  },
  (table) => [
    unique().on(table.tenantId, table.id),
    unique().on(table.tenantId, table.name),
    // One provider is the default.
    uniqueIndex('model_provider_default').on(table.tenantId).where(sql`is_default`),
    tenantPolicy('model_provider'),
  ],
);

/** What a provider's model costs from an instant on. A call costs what counts when it is made. */
export const modelPrice = pgTable(
  'model_price',
  {
    tenantId: id('tenant').notNull(),
    providerId: id('modelProvider').notNull(),
    validFrom: instant().notNull(),
    /** For a million tokens in micro-units; null: from here on there is none. */
    price: jsonbValue(),
    setAt: createdAt(),
    setBy: id('user'),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.providerId, table.validFrom] }),
    foreignKey({ columns: [table.tenantId, table.providerId], foreignColumns: [modelProvider.tenantId, modelProvider.id] }).onDelete(
      'cascade',
    ),
    tenantPolicy('model_price'),
  ],
);
