import { AppError, type Id, parseId } from '#lib/kernel/index.ts';
import type { Actor } from '#lib/tenancy/index.ts';
import type { DocumentPage, DocumentSummaryView, DocumentView, PassageView } from './contract.ts';
import type { DocumentSummary } from './domain/document.ts';
import type { KnowledgeUnitOfWork } from './ports.ts';

interface Dependencies {
  readonly unitOfWork: KnowledgeUnitOfWork<'documents'>;
}

const PAGE = 100;

/** The tenant's documents, newest first. Throws `invalid_request` for a cursor that is not one. */
export async function listDocuments(
  { unitOfWork }: Dependencies,
  actor: Actor,
  query: { cursor?: string | undefined },
): Promise<DocumentPage> {
  const after = query.cursor === undefined ? null : parseId('document', query.cursor);
  if (query.cursor !== undefined && !after) {
    throw new AppError({ code: 'invalid_request', message: 'This cursor is not one of ours.', details: { path: 'cursor' } });
  }
  const documents = await unitOfWork.within(actor.scope, (stores) => stores.documents.list({ limit: PAGE + 1, after }));
  const items = documents.slice(0, PAGE).map(toDocumentSummaryView);
  return { items, nextCursor: documents.length > PAGE ? (items.at(-1)?.id ?? null) : null };
}

/** Throws `not_found`. */
export async function getDocument({ unitOfWork }: Dependencies, actor: Actor, id: Id<'document'>): Promise<DocumentView> {
  const document = await unitOfWork.within(actor.scope, (stores) => stores.documents.find(id));
  if (!document) throw new AppError({ code: 'not_found', message: 'There is no such document.' });
  return { ...toDocumentSummaryView(document), body: document.body };
}

/** A passage that was quoted; null when the document has changed since, and with it its passages. */
export async function findPassage(
  { unitOfWork }: Dependencies,
  actor: Actor,
  at: { documentId: Id<'document'>; chunkId: Id<'chunk'> },
): Promise<PassageView | null> {
  const passage = await unitOfWork.within(actor.scope, (stores) => stores.documents.findPassage(at.documentId, at.chunkId));
  return passage && { section: passage.section, text: passage.text };
}

export function toDocumentSummaryView(document: DocumentSummary): DocumentSummaryView {
  const { id, title, language, version, createdAt, updatedAt } = document;
  return { id, title, language, version, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() };
}
