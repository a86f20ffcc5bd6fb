import type { TenantScope } from '#lib/kernel/index.ts';
import { queryTokens } from './domain/chunk-tokens.ts';
import type { KnowledgeUnitOfWork } from './ports.ts';

/** Which words of a message the tenant's documents have, and which of them together in one passage. */
export interface DocumentEvidence {
  /** Passages the tenant has. */
  readonly passageCount: number;
  /** For each token of the message, in how many passages it stands; absent means none. */
  readonly frequency: ReadonlyMap<string, number>;
  /** The passages that have the most of the message's tokens, each as the tokens it has. */
  readonly passages: readonly ReadonlySet<string>[];
}

/** Passages that several requests in one message are looked for in. */
const PASSAGE_LIMIT = 40;

/** What the documents of the scope's tenant have to do with a message, for the planner to weigh. */
export async function findDocumentEvidence(
  dependencies: { unitOfWork: KnowledgeUnitOfWork<'documents'> },
  request: { scope: TenantScope; message: string },
): Promise<DocumentEvidence> {
  const tokens = queryTokens(request.message);
  if (tokens.length === 0) return { passageCount: 0, frequency: new Map(), passages: [] };
  const candidates = await dependencies.unitOfWork.within(request.scope, ({ documents }) =>
    documents.searchCandidates(tokens, PASSAGE_LIMIT),
  );
  return {
    passageCount: candidates.chunkCount,
    frequency: candidates.documentFrequency,
    passages: candidates.chunks.map((chunk) => new Set(chunk.matches.keys())),
  };
}
