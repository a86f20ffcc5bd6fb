import { z } from 'zod';

/** Shapes of documents and facts as the API and the browser see them. Instants are ISO 8601 in UTC. */
export const documentLanguage = z.enum(['en', 'zh-CN']);

export const documentSummaryView = z.object({
  id: z.string(),
  title: z.string(),
  language: documentLanguage,
  /** Send it back as `expectedVersion`; a save of an older version is a conflict. */
  version: z.number(),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type DocumentSummaryView = z.infer<typeof documentSummaryView>;

/** `body` is Markdown. */
export const documentView = documentSummaryView.extend({ body: z.string() });
export type DocumentView = z.infer<typeof documentView>;

/** A part of a document, as a search quotes it. */
export interface PassageView {
  /** Headings above it, joined by ' › '. */
  readonly section: string;
  /** Markdown. */
  readonly text: string;
}

export const documentPage = z.object({ items: z.array(documentSummaryView), nextCursor: z.string().nullable() });
export type DocumentPage = z.infer<typeof documentPage>;

export const createDocumentBody = z.object({ title: z.string(), language: documentLanguage, body: z.string() });
export const saveDocumentBody = createDocumentBody.extend({ expectedVersion: z.number().int().min(1) });

/** A public address; what stands there becomes a document. */
export const importAddressBody = z.object({ url: z.url({ protocol: /^https?$/ }).max(2_000) });

/** A word of the workspace's own. */
export const termView = z.object({
  id: z.string(),
  term: z.string(),
  meaning: z.string(),
  /** Other words for the same. */
  synonyms: z.array(z.string()),
  /** Send it back as `expectedVersion`; a save of an older version is a conflict. */
  version: z.number(),
  updatedAt: z.string(),
});
export type TermView = z.infer<typeof termView>;

export const termList = z.object({ items: z.array(termView), revision: z.string() });
export type TermList = z.infer<typeof termList>;

const termText = z.string().trim().min(1).max(80);
export const createTermBody = z.object({
  term: termText,
  meaning: z.string().trim().min(1).max(500),
  synonyms: z.array(termText).max(10).default([]),
});
export const saveTermBody = createTermBody.extend({ expectedVersion: z.number().int().min(1) });

export const factView = z.object({ id: z.string(), text: z.string(), runId: z.string().nullable(), createdAt: z.string() });
export type FactView = z.infer<typeof factView>;
export const factBody = z.object({ text: z.string().trim().min(1).max(2000) });

/** What a million tokens of passages or queries cost, in micro-units: 1,000,000 = one of the currency. */
const embeddingPrice = z.object({
  currency: z.string().regex(/^[A-Z]{3}$/, 'Use a currency code such as USD.'),
  inputMicros: z.number().int().min(0),
});

const embeddingSpaceView = z.object({
  provider: z.object({ id: z.string(), name: z.string() }),
  model: z.string(),
  /** Numbers of each vector; null until the first answer. */
  dimensions: z.number().nullable(),
  price: embeddingPrice.nullable(),
  /** Passages that have their vector, of all the workspace has. */
  embedded: z.number(),
  passages: z.number(),
  /** Why the last attempt failed; null: it did not. */
  problem: z.object({ at: z.string(), message: z.string() }).nullable(),
});

export const documentSearchView = z.object({
  /** `meaning`: by meaning and by words; `words`: by words alone. */
  serving: z.enum(['meaning', 'words']),
  reason: z.enum(['serving', 'no-extension', 'not-created', 'no-model', 'building', 'failing']),
  /** Of the database: pgvector. */
  extension: z.enum(['ready', 'not-created', 'absent']),
  /** What serves, or would if it did not fail. */
  serves: embeddingSpaceView.nullable(),
  /** What will serve once it is complete. */
  builds: embeddingSpaceView.nullable(),
});
export type DocumentSearchView = z.infer<typeof documentSearchView>;

export const chooseEmbeddingBody = z.object({
  providerId: z.string().max(80),
  model: z.string().trim().min(1).max(120),
  price: embeddingPrice.nullable().default(null),
});
export type ChooseEmbedding = z.infer<typeof chooseEmbeddingBody>;

export const embeddingTestView = z.object({
  ok: z.boolean(),
  /** What the provider said; null when it passed. */
  detail: z.string().nullable(),
  dimensions: z.number().nullable(),
  ms: z.number(),
});
export type EmbeddingTestView = z.infer<typeof embeddingTestView>;
