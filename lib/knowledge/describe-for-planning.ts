import type { TenantScope } from '#lib/kernel/index.ts';
import { DOCUMENT_LIMIT, type OntologyDescription, toOntology } from './describe-ontology.ts';
import { queryTokens } from './domain/chunk-tokens.ts';
import type { DocumentEvidence, PlanningReader } from './ports.ts';

/** Passages that several requests in one message are looked for in. */
const PASSAGE_LIMIT = 40;

/** What the planner is told about the documents of the scope's tenant: their topics, and what they have of the message. */
export async function describeForPlanning(
  { readForPlanning }: { readForPlanning: PlanningReader },
  request: { scope: TenantScope; message: string },
): Promise<OntologyDescription & { readonly documents: DocumentEvidence }> {
  const { outlines, evidence } = await readForPlanning(request.scope, {
    outlineLimit: DOCUMENT_LIMIT,
    tokens: queryTokens(request.message),
    passageLimit: PASSAGE_LIMIT,
  });
  return { ...toOntology(outlines), documents: evidence };
}
