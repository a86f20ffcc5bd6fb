import { foreignKey, index, integer, pgTable, primaryKey, unique } from 'drizzle-orm/pg-core';
import { createdAt, id, jsonbValue, tenantPolicy, text } from '../columns.ts';
import { appUser, tenant } from './tenants.ts';

export const knowledgeDocument = pgTable(
  'knowledge_document',
  {
    tenantId: id('tenant')
      .notNull()
      .references(() => tenant.id, { onDelete: 'cascade' }),
    id: id('document').primaryKey(),
    title: text().notNull(),
    /** `en` or `zh-CN`. */
    language: text().notNull(),
    /** Markdown. */
    body: text().notNull(),
    /** Raised by each save; a save of an older version is a conflict. */
    version: integer().notNull().default(1),
    createdAt: createdAt(),
    updatedAt: createdAt(),
  },
  (table) => [unique().on(table.tenantId, table.id), tenantPolicy('knowledge_document')],
);

export const knowledgeChunk = pgTable(
  'knowledge_chunk',
  {
    tenantId: id('tenant').notNull(),
    id: id('chunk').primaryKey(),
    documentId: id('document').notNull(),
    ordinal: integer().notNull(),
    /** Headings above the chunk, joined by ' › '. */
    section: text().notNull(),
    text: text().notNull(),
    tokenCount: integer().notNull(),
  },
  (table) => [
    unique().on(table.tenantId, table.id),
    unique().on(table.tenantId, table.documentId, table.ordinal),
    foreignKey({
      columns: [table.tenantId, table.documentId],
      foreignColumns: [knowledgeDocument.tenantId, knowledgeDocument.id],
    }).onDelete('cascade'),
    tenantPolicy('knowledge_chunk'),
  ],
);

/** An inverted index that row-level security can use: plain equality on a btree, no text-search operator. */
export const knowledgeToken = pgTable(
  'knowledge_token',
  {
    tenantId: id('tenant').notNull(),
    token: text().notNull(),
    chunkId: id('chunk').notNull(),
    count: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.token, table.chunkId] }),
    foreignKey({ columns: [table.tenantId, table.chunkId], foreignColumns: [knowledgeChunk.tenantId, knowledgeChunk.id] }).onDelete(
      'cascade',
    ),
    // Removing a chunk removes its tokens.
    index('knowledge_token_chunk').on(table.tenantId, table.chunkId),
    tenantPolicy('knowledge_token'),
  ],
);

/** A word of the tenant's own, as an admin explains it (requirement P-24). */
export const ontologyTerm = pgTable(
  'ontology_term',
  {
    tenantId: id('tenant')
      .notNull()
      .references(() => tenant.id, { onDelete: 'cascade' }),
    id: id('term').primaryKey(),
    term: text().notNull(),
    meaning: text().notNull(),
    /** Other words for the same, as an array of texts. */
    synonyms: jsonbValue().notNull(),
    /** Raised by each save; a save of an older version is a conflict. */
    version: integer().notNull().default(1),
    createdAt: createdAt(),
    updatedAt: createdAt(),
  },
  (table) => [unique().on(table.tenantId, table.id), unique().on(table.tenantId, table.term), tenantPolicy('ontology_term')],
);

/** The store across sessions: facts of one person in one tenant (requirement P-09). */
export const storedFact = pgTable(
  'stored_fact',
  {
    tenantId: id('tenant')
      .notNull()
      .references(() => tenant.id, { onDelete: 'cascade' }),
    id: id('fact').primaryKey(),
    userId: id('user')
      .notNull()
      .references(() => appUser.id, { onDelete: 'cascade' }),
    text: text().notNull(),
    /** The run that kept it; null when the person wrote it. */
    runId: id('run'),
    createdAt: createdAt(),
    updatedAt: createdAt(),
  },
  (table) => [
    unique().on(table.tenantId, table.id),
    index('stored_fact_list').on(table.tenantId, table.userId, table.id.desc()),
    tenantPolicy('stored_fact'),
  ],
);
