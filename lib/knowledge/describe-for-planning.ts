import type { TenantScope } from '#lib/kernel/index.ts';
import { DOCUMENT_LIMIT, type OntologyDescription, toOntology } from './describe-ontology.ts';
import { queryTokens } from './domain/chunk-tokens.ts';
import type { DocumentStore, KnowledgeUnitOfWork } from './ports.ts';

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

/** What the planner is told about the documents of the scope's tenant: their topics, and what they have of the message. */
export async function describeForPlanning(
  dependencies: { unitOfWork: KnowledgeUnitOfWork<'documents'> },
  request: { scope: TenantScope; message: string },
): Promise<OntologyDescription & { readonly documents: DocumentEvidence }> {
  return dependencies.unitOfWork.within(request.scope, async ({ documents }) => {
    const [outlines, evidence] = await Promise.all([documents.listOutlines(DOCUMENT_LIMIT), readEvidence(documents, request.message)]);
    return { ...toOntology(outlines), documents: evidence };
  });
}

async function readEvidence(documents: DocumentStore, message: string): Promise<DocumentEvidence> {
  const tokens = queryTokens(message);
  if (tokens.length === 0) return { passageCount: 0, frequency: new Map(), passages: [] };
  const candidates = await documents.searchCandidates(tokens, PASSAGE_LIMIT);
  return {
    passageCount: candidates.chunkCount,
    frequency: candidates.documentFrequency,
    passages: candidates.chunks.map((chunk) => new Set(chunk.matches.keys())),
  };
}
