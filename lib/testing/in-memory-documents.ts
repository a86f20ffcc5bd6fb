import { AppError, type Id } from '#lib/kernel/index.ts';
import type {
  CandidateChunk,
  DocumentStore,
  DocumentSummary,
  IndexedChunk,
  KnowledgeDocument,
  PlanningReader,
  SearchCandidates,
  SearchReader,
  TermStore,
} from '#lib/knowledge/index.ts';

/** A store of documents, and what the readers of Postgres ask it with statements of their own. */
export interface InMemoryDocuments extends DocumentStore {
  searchCandidates(tokens: readonly string[], limit: number): Promise<SearchCandidates>;
}

/** The documents of one tenant in memory, with the promises of `DocumentStore`. */
export function createInMemoryDocuments(): InMemoryDocuments {
  const documents = new Map<Id<'document'>, { document: KnowledgeDocument; chunks: readonly IndexedChunk[] }>();
  const allChunks = () => [...documents.values()].flatMap(({ document, chunks }) => chunks.map((chunk) => ({ document, chunk })));
  return {
    list: async ({ limit, after }) =>
      [...documents.values()]
        .map(({ document }) => toSummary(document))
        .sort((a, b) => (a.id < b.id ? 1 : -1))
        .filter((summary) => after === null || summary.id < after)
        .slice(0, limit),
    listOutlines: async (limit) =>
      [...documents.values()]
        .map(({ document, chunks }) => ({
          id: document.id,
          title: document.title,
          version: document.version,
          sections: [...new Set(chunks.map((chunk) => chunk.section))],
        }))
        .sort((a, b) => (a.title < b.title ? -1 : 1))
        .slice(0, limit),
    find: async (documentId) => documents.get(documentId)?.document ?? null,
    findPassage: async (documentId, chunkId) => documents.get(documentId)?.chunks.find(({ id }) => id === chunkId) ?? null,
    async put({ document, chunks, expectedVersion }) {
      const known = documents.get(document.id)?.document;
      if ((known?.version ?? null) !== expectedVersion)
        throw new AppError({ code: 'conflict', message: 'Somebody has saved this document meanwhile.' });
      const now = new Date();
      const saved = { ...document, version: (expectedVersion ?? 0) + 1, createdAt: known?.createdAt ?? now, updatedAt: now };
      documents.set(document.id, { document: saved, chunks });
      return toSummary(saved);
    },
    delete: async (documentId) => documents.delete(documentId),
    async searchCandidates(tokens, limit) {
      const chunks = allChunks();
      const documentFrequency = new Map<string, number>();
      for (const token of tokens) {
        const count = chunks.filter(({ chunk }) => chunk.tokens.has(token)).length;
        if (count > 0) documentFrequency.set(token, count);
      }
      const candidates = chunks
        .map(({ document, chunk }): { readonly candidate: CandidateChunk; readonly rank: number } => {
          const matches = new Map(
            tokens.flatMap((token) => (chunk.tokens.has(token) ? [[token, chunk.tokens.get(token) ?? 0] as const] : [])),
          );
          const rank = [...matches.keys()].reduce((sum, token) => sum + 1 / (documentFrequency.get(token) ?? 1), 0);
          const { id: chunkId, section, text, tokenCount } = chunk;
          return { candidate: { chunkId, documentId: document.id, title: document.title, section, text, tokenCount, matches }, rank };
        })
        .filter((entry) => entry.candidate.matches.size > 0)
        .sort((a, b) => b.rank - a.rank);
      return {
        chunkCount: chunks.length,
        averageTokenCount: chunks.length === 0 ? 0 : chunks.reduce((sum, { chunk }) => sum + chunk.tokenCount, 0) / chunks.length,
        documentFrequency,
        chunks: candidates.slice(0, limit).map(({ candidate }) => candidate),
      };
    },
  };
}

function toSummary({ id, title, language, version, createdAt, updatedAt }: KnowledgeDocument): DocumentSummary {
  return { id, title, language, version, createdAt, updatedAt };
}

/** What `createPlanningReader` reads from Postgres, from a store. */
export function planningReaderOf({ documents, terms }: { documents: InMemoryDocuments; terms: TermStore }): PlanningReader {
  return async (_scope, { outlineLimit, termLimit, tokens, passageLimit }) => {
    const [outlines, known, found] = await Promise.all([
      documents.listOutlines(outlineLimit),
      terms.list(termLimit),
      documents.searchCandidates(tokens, passageLimit),
    ]);
    const passages = found.chunks.map((chunk) => new Set(chunk.matches.keys()));
    return { outlines, terms: known, evidence: { passageCount: found.chunkCount, frequency: found.documentFrequency, passages } };
  };
}

/** What `createSearchReader` reads from Postgres, from a store. */
export function searchReaderOf({ documents, terms }: { documents: InMemoryDocuments; terms: TermStore }): SearchReader {
  return async (_scope, { tokens, limit, termLimit }) => ({
    candidates: await documents.searchCandidates(tokens, limit),
    terms: await terms.list(termLimit),
  });
}
