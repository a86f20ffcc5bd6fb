import type { Id } from '#lib/kernel/index.ts';

/** The languages documents are written in; search needs no language, lists show it. */
export const DOCUMENT_LANGUAGES = ['en', 'zh-CN'] as const;
export type DocumentLanguage = (typeof DOCUMENT_LANGUAGES)[number];

/** A document of a tenant. */
export interface KnowledgeDocument {
  readonly id: Id<'document'>;
  readonly title: string;
  readonly language: DocumentLanguage;
  /** Markdown. */
  readonly body: string;
  /** Raised by each save. */
  readonly version: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** A document without its text. */
export type DocumentSummary = Omit<KnowledgeDocument, 'body'>;

/** What a document is about, by its headings. */
export interface DocumentOutline {
  readonly id: Id<'document'>;
  readonly title: string;
  readonly version: number;
  /** Section paths in the order of the document, each once. */
  readonly sections: readonly string[];
}
