import { AppError, type Id, newId } from '#lib/kernel/index.ts';
import { type Actor, requirePermission } from '#lib/tenancy/index.ts';
import { countChunkTokens } from './domain/chunk-tokens.ts';
import { chunkDocument } from './domain/chunking.ts';
import type { DocumentLanguage, DocumentSummary } from './domain/document.ts';
import type { IndexedChunk, KnowledgeUnitOfWork } from './ports.ts';

/** In characters. */
export const DOCUMENT_LENGTH_LIMIT = 400_000;
export const TITLE_LENGTH_LIMIT = 200;

/** What a person saves. `id` and `expectedVersion` are null for a new document. */
export interface DocumentDraft {
  readonly id: Id<'document'> | null;
  readonly expectedVersion: number | null;
  readonly title: string;
  readonly language: DocumentLanguage;
  /** Markdown. */
  readonly body: string;
  /** The file or address it was made of; absent where somebody wrote it. */
  readonly source?: string;
}

/**
 * Stores a document with its index, and the audit row, in one transaction. Throws `permission_denied` without
 * `knowledge:write`, `invalid_request` for an empty title, `payload_too_large` beyond the limits, `not_found` for an
 * unknown id and `conflict` when somebody saved in between.
 */
export async function saveDocument(
  dependencies: { unitOfWork: KnowledgeUnitOfWork<'documents' | 'audit'> },
  actor: Actor,
  draft: DocumentDraft,
): Promise<DocumentSummary> {
  requirePermission(actor, 'knowledge:write');
  const title = requireTitle(draft.title);
  if (draft.body.length > DOCUMENT_LENGTH_LIMIT) {
    throw new AppError({
      code: 'payload_too_large',
      message: `A document has at most ${DOCUMENT_LENGTH_LIMIT} characters; this one has ${draft.body.length}.`,
    });
  }
  const chunks = indexDocument(title, draft.body);
  return dependencies.unitOfWork.within(actor.scope, async ({ documents, audit }) => {
    const id = draft.id ?? newId('document');
    if (draft.id && !(await documents.find(draft.id))) throw new AppError({ code: 'not_found', message: 'There is no such document.' });
    const saved = await documents.put({
      document: { id, title, language: draft.language, body: draft.body },
      chunks,
      expectedVersion: draft.expectedVersion,
    });
    await audit.record({
      type: draft.id ? 'document.updated' : 'document.created',
      target: { kind: 'document', id, name: title },
      details: {
        version: saved.version,
        language: draft.language,
        chunks: chunks.length,
        ...(draft.source !== undefined && { source: draft.source }),
      },
    });
    return saved;
  });
}

/** The chunks of a document with what the index keeps. Seeding uses it too. */
export function indexDocument(title: string, body: string): IndexedChunk[] {
  return chunkDocument(body).map((chunk) => {
    const tokens = countChunkTokens(title, chunk);
    return { ...chunk, id: newId('chunk'), tokens, tokenCount: [...tokens.values()].reduce((sum, count) => sum + count, 0) };
  });
}

function requireTitle(text: string): string {
  const title = text.trim();
  if (title === '') throw new AppError({ code: 'invalid_request', message: 'A document needs a title.' });
  if (title.length > TITLE_LENGTH_LIMIT)
    throw new AppError({ code: 'payload_too_large', message: `A title has at most ${TITLE_LENGTH_LIMIT} characters.` });
  return title;
}
