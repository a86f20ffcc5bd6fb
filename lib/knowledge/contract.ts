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

export const documentPage = z.object({ items: z.array(documentSummaryView), nextCursor: z.string().nullable() });
export type DocumentPage = z.infer<typeof documentPage>;

export const createDocumentBody = z.object({ title: z.string(), language: documentLanguage, body: z.string() });
export const saveDocumentBody = createDocumentBody.extend({ expectedVersion: z.number().int().min(1) });

export const factView = z.object({ id: z.string(), text: z.string(), runId: z.string().nullable(), createdAt: z.string() });
export type FactView = z.infer<typeof factView>;
export const factBody = z.object({ text: z.string().trim().min(1).max(2000) });
