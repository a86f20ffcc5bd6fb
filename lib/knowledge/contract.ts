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
