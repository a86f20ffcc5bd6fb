import { createHash } from 'node:crypto';
import type { TenantScope } from '#lib/kernel/index.ts';
import type { DocumentOutline } from './domain/document.ts';
import { type OntologyTerm, TERM_LIMIT } from './domain/term.ts';
import type { KnowledgeUnitOfWork } from './ports.ts';

/** What a tenant knows: read by the planner and put before a model (requirement P-24, order 0). */
export interface OntologyDescription {
  /**
   * One line a term, `term: synonym, synonym = meaning`, one a document, `title: section, section`, and one that names the
   * kinds of capabilities, `= math, time`. What stands behind ` = ` explains; it is not what a message can be about. ''
   * where nothing is known.
   */
  readonly summary: string;
  /** Changes whenever a term, a document or a capability is added, changed or removed. */
  readonly revision: string;
}

/** A capability as far as the description goes. */
export interface DescribedCapability {
  readonly id: string;
  readonly version: string;
  readonly domain: string;
}

/** Documents beyond these are found by searching, but not described. */
export const DOCUMENT_LIMIT = 2_000;
const TERMS_LENGTH_LIMIT = 6_000;
const DOCUMENTS_LENGTH_LIMIT = 12_000;

/** Describes the terms and documents of the scope's tenant, and the capabilities it has. */
export async function describeOntology(
  dependencies: { unitOfWork: KnowledgeUnitOfWork<'documents' | 'terms'> },
  scope: TenantScope,
  capabilities: readonly DescribedCapability[] = [],
): Promise<OntologyDescription> {
  const [outlines, terms] = await dependencies.unitOfWork.within(scope, (stores) =>
    Promise.all([stores.documents.listOutlines(DOCUMENT_LIMIT), stores.terms.list(TERM_LIMIT)]),
  );
  return toOntology({ outlines, terms, capabilities });
}

/** The description of what is known; pure. */
export function toOntology({
  outlines,
  terms,
  capabilities,
}: {
  outlines: readonly DocumentOutline[];
  terms: readonly OntologyTerm[];
  capabilities: readonly DescribedCapability[];
}): OntologyDescription {
  const state = [
    ...outlines.map((outline) => `${outline.id}:${outline.version}`),
    ...terms.map((term) => `${term.id}:${term.version}`),
    ...capabilities.map((capability) => `${capability.id}:${capability.version}`),
  ];
  const byTitle = outlines.toSorted((a, b) => compare(a.title, b.title) || compare(a.id, b.id));
  const byName = terms.toSorted((a, b) => compare(a.term, b.term));
  const domains = [...new Set(capabilities.map(({ domain }) => domain))].sort(compare);
  const lines = [
    ...withinLength(byName.map(describeTerm), TERMS_LENGTH_LIMIT),
    ...withinLength(byTitle.map(describeDocument), DOCUMENTS_LENGTH_LIMIT),
    ...(domains.length > 0 ? [`= ${domains.join(', ')}`] : []),
  ];
  return { summary: lines.join('\n'), revision: digest(state) };
}

/** A token for the state of the terms alone. */
export function termRevision(terms: readonly OntologyTerm[]): string {
  return digest(terms.map((term) => `${term.id}:${term.version}`));
}

function digest(state: readonly string[]): string {
  return createHash('sha256')
    .update([...state].sort(compare).join('\n'))
    .digest('hex')
    .slice(0, 16);
}

function describeTerm({ term, synonyms, meaning }: OntologyTerm): string {
  return `${[term, synonyms.join(', ')].filter(Boolean).join(': ')} = ${meaning}`;
}

function describeDocument(outline: DocumentOutline): string {
  const title = outline.title.replace(/\s+/g, ' ');
  const sections = outline.sections.filter((section) => section !== '').map((section) => section.replace(/\s+/g, ' '));
  return sections.length === 0 ? title : `${title}: ${sections.join(', ')}`;
}

function withinLength(lines: readonly string[], limit: number): string[] {
  let length = 0;
  return lines.filter((line) => {
    length += line.length + 1;
    return length <= limit;
  });
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
