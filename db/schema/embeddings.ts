import { sql } from 'drizzle-orm';
import { bigint, boolean, customType, foreignKey, index, integer, pgTable, primaryKey, unique, uniqueIndex } from 'drizzle-orm/pg-core';
import { createdAt, id, instant, jsonbValue, tenantPolicy, text } from '../columns.ts';
import { knowledgeChunk } from './knowledge.ts';
import { modelProvider } from './models.ts';
import { tenant } from './tenants.ts';

/** Numbers of four bytes: what pgvector keeps, in a type that is there without it. */
const reals = customType<{ data: string; driverData: string }>({ dataType: () => 'real[]' });

/**
 * An embedding model that a tenant has chosen, with the vectors it makes (requirement H-29). One serves; after a change the
 * next is built beside it until it is complete.
 */
export const embeddingSpace = pgTable(
  'embedding_space',
  {
    tenantId: id('tenant').notNull(),
    id: id('embeddingSpace').primaryKey(),
    providerId: id('modelProvider').notNull(),
    model: text().notNull(),
    /** null until the first answer. */
    dimensions: integer(),
    /** For a million tokens, as a model's price; null: not known. */
    price: jsonbValue(),
    /** `BUILDING` or `SERVING`. */
    state: text().notNull(),
    /** Raised whenever passages were added: there is work while `done` is less. */
    wanted: integer().notNull().default(1),
    done: integer().notNull().default(0),
    /** Why the last attempt failed; null: it did not. */
    problem: text(),
    problemAt: instant(),
    failures: integer().notNull().default(0),
    retryAt: instant(),
    /** Raised by each process that takes the work on; what another writes is refused. */
    epoch: integer().notNull().default(0),
    leasedUntil: instant(),
    createdAt: createdAt(),
    createdBy: id('user'),
    completedAt: instant(),
  },
  (table) => [
    unique().on(table.tenantId, table.id),
    uniqueIndex('embedding_space_state').on(table.tenantId, table.state),
    foreignKey({ columns: [table.tenantId, table.providerId], foreignColumns: [modelProvider.tenantId, modelProvider.id] }).onDelete(
      'cascade',
    ),
    // What is due, over all tenants.
    index('embedding_space_due').on(table.id).where(sql`done < wanted`),
    tenantPolicy('embedding_space'),
  ],
);

/** Where a passage lies in a space. */
export const knowledgeEmbedding = pgTable(
  'knowledge_embedding',
  {
    tenantId: id('tenant').notNull(),
    embeddingSpaceId: id('embeddingSpace').notNull(),
    chunkId: id('chunk').notNull(),
    embedding: reals().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.embeddingSpaceId, table.chunkId] }),
    foreignKey({
      name: 'knowledge_embedding_space',
      columns: [table.tenantId, table.embeddingSpaceId],
      foreignColumns: [embeddingSpace.tenantId, embeddingSpace.id],
    }).onDelete('cascade'),
    foreignKey({
      name: 'knowledge_embedding_chunk',
      columns: [table.tenantId, table.chunkId],
      foreignColumns: [knowledgeChunk.tenantId, knowledgeChunk.id],
    }).onDelete('cascade'),
    // Removing a chunk removes its vectors.
    index('knowledge_embedding_of_chunk').on(table.tenantId, table.chunkId),
    tenantPolicy('knowledge_embedding'),
  ],
);

/** A call of an embedding model: written before it as it is expected, corrected after it. */
export const embeddingCall = pgTable(
  'embedding_call',
  {
    tenantId: id('tenant')
      .notNull()
      .references(() => tenant.id, { onDelete: 'cascade' }),
    id: id('embeddingCall').primaryKey(),
    provider: text().notNull(),
    model: text().notNull(),
    /** `index`, `query` or `test`. */
    purpose: text().notNull(),
    /** Who asked; null: passages were indexed. */
    userId: id('user'),
    textCount: integer().notNull(),
    inputTokens: integer().notNull(),
    isEstimated: boolean().notNull(),
    /** Micro-units of `currency`; null: no price was set. */
    costMicros: bigint({ mode: 'number' }),
    currency: text(),
    /** What it has taken of budgets: [{budget, subject, period, amount}]. */
    claims: jsonbValue().notNull(),
    /** `open`, `ok`, or the kind of its failure. One that stays open was made by a process that has died. */
    outcome: text().notNull(),
    durationMs: integer(),
    startedAt: createdAt(),
  },
  (table) => [
    unique().on(table.tenantId, table.id),
    // Usage of a tenant over time.
    index('embedding_call_usage').on(table.tenantId, table.startedAt),
    tenantPolicy('embedding_call'),
  ],
);
