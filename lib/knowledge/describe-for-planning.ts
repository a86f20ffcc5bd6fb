import type { TenantScope } from '#lib/kernel/index.ts';
import { type DescribedCapability, DOCUMENT_LIMIT, type OntologyDescription, toOntology } from './describe-ontology.ts';
import { queryTokens } from './domain/chunk-tokens.ts';
import { findSynonyms, sayInWordsOfQuery, tokensOfSynonyms } from './domain/synonyms.ts';
import { TERM_LIMIT } from './domain/term.ts';
import type { DocumentEvidence, PlanningReader } from './ports.ts';

/** Passages that several requests in one message are looked for in. */
const PASSAGE_LIMIT = 40;

/**
 * What the planner is told about the scope's tenant: its terms and the topics of its documents, and what those have of the
 * message, said in other words of a term too. Only a message that names a term with other names is read for twice.
 */
export async function describeForPlanning(
  { readForPlanning }: { readForPlanning: PlanningReader },
  request: { scope: TenantScope; message: string; capabilities?: Promise<readonly DescribedCapability[]> },
): Promise<OntologyDescription & { readonly documents: DocumentEvidence }> {
  const read = (tokens: readonly string[]) =>
    readForPlanning(request.scope, { outlineLimit: DOCUMENT_LIMIT, termLimit: TERM_LIMIT, tokens, passageLimit: PASSAGE_LIMIT });
  const tokens = queryTokens(request.message);
  const [{ outlines, terms, evidence }, capabilities] = await Promise.all([read(tokens), request.capabilities ?? []]);
  const synonyms = findSynonyms(request.message, terms);
  const others = tokensOfSynonyms(synonyms);
  const documents = others.length === 0 ? evidence : inOtherWords((await read([...new Set([...tokens, ...others])])).evidence, synonyms);
  return { ...toOntology({ outlines, terms, capabilities }), documents };
}

function inOtherWords(evidence: DocumentEvidence, synonyms: Parameters<typeof sayInWordsOfQuery>[1]): DocumentEvidence {
  return {
    ...evidence,
    frequency: sayInWordsOfQuery(evidence.frequency, synonyms),
    passages: evidence.passages.map((passage) => {
      const counts = new Map([...passage].map((token) => [token, 1]));
      return new Set(sayInWordsOfQuery(counts, synonyms).keys());
    }),
  };
}
