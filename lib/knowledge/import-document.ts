import { AppError, isAppError, messageOf } from '#lib/kernel/index.ts';
import { type Actor, requirePermission } from '#lib/tenancy/index.ts';
import type { DocumentSummary } from './domain/document.ts';
import { languageOfText, type ReadableFile } from './domain/readable-file.ts';
import type { FileReader, KnowledgeUnitOfWork } from './ports.ts';
import { saveDocument, TITLE_LENGTH_LIMIT } from './save-document.ts';

/** In bytes, of a file or of what an address answers. */
export const FILE_LIMIT_BYTES = 20 * 1024 * 1024;
const FETCH_TIMEOUT_MS = 30_000;

interface Dependencies {
  readonly unitOfWork: KnowledgeUnitOfWork<'documents' | 'audit'>;
  readonly fileReader: FileReader;
  /** The guarded door. */
  readonly fetch: typeof globalThis.fetch;
}

/**
 * Makes a document of a file: text, Markdown, HTML or PDF. Throws `permission_denied` without `knowledge:write`,
 * `unreadable_document` for what cannot be read, and `payload_too_large` beyond the limits.
 */
export async function importFile(dependencies: Dependencies, actor: Actor, file: ReadableFile): Promise<DocumentSummary> {
  requirePermission(actor, 'knowledge:write');
  if (file.bytes.byteLength > FILE_LIMIT_BYTES) throw tooLarge();
  const { title, markdown } = await dependencies.fileReader.read(file);
  return saveDocument(dependencies, actor, {
    id: null,
    expectedVersion: null,
    title: [...title].slice(0, TITLE_LENGTH_LIMIT).join(''),
    language: languageOfText(markdown),
    body: markdown,
    source: file.name,
  });
}

/**
 * Makes a document of what stands at an address, asked through the guarded door: public addresses only, and no redirect is
 * followed. Throws as `importFile` does, and `forbidden_address`, or `unreadable_document` when the address does not answer.
 */
export async function importAddress(dependencies: Dependencies, actor: Actor, address: string): Promise<DocumentSummary> {
  requirePermission(actor, 'knowledge:write');
  const file = await fetchFile(dependencies.fetch, new URL(address));
  return importFile(dependencies, actor, file);
}

async function fetchFile(guardedFetch: typeof globalThis.fetch, url: URL): Promise<ReadableFile> {
  try {
    const response = await guardedFetch(url, {
      signal: AbortSignal.timeout(FETCH_TIMEOUT_MS),
      headers: { accept: 'text/html, text/*, application/pdf' },
    });
    if (!response.ok) throw unanswered(url, `it answers ${response.status}`);
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of response.body ?? []) {
      size += chunk.byteLength;
      if (size > FILE_LIMIT_BYTES) throw tooLarge();
      chunks.push(chunk);
    }
    const mediaType = response.headers.get('content-type') ?? '';
    return {
      name: decodeURIComponent(url.pathname.split('/').filter(Boolean).at(-1) ?? url.hostname),
      mediaType,
      bytes: Buffer.concat(chunks),
    };
  } catch (error) {
    if (isAppError(error)) throw error;
    throw unanswered(url, messageOf(error), error);
  }
}

function unanswered(url: URL, why: string, cause?: unknown): AppError {
  return new AppError({
    code: 'unreadable_document',
    message: `${url.host} could not be read: ${why}. Redirects are not followed: use the address they lead to.`,
    details: { path: 'url' },
    cause,
  });
}

function tooLarge(): AppError {
  return new AppError({
    code: 'payload_too_large',
    message: `A file may have ${FILE_LIMIT_BYTES / 1024 / 1024} MB.`,
    details: { limitBytes: FILE_LIMIT_BYTES },
  });
}
