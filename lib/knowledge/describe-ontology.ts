import { createHash } from 'node:crypto';
import type { TenantScope } from '#lib/kernel/index.ts';
import type { DocumentOutline } from './domain/document.ts';
import type { KnowledgeUnitOfWork } from './ports.ts';

/** What a tenant's documents are about: read by the planner and put before a model (requirement P-24, order 0). */
export interface OntologyDescription {
  /** One line a document: `title: section, section`. '' without documents. */
  readonly summary: string;
  /** Changes whenever a document is added, saved or removed. */
  readonly revision: string;
}

/** Documents beyond these are found by searching, but not described. */
export const DOCUMENT_LIMIT = 2_000;
const SUMMARY_LENGTH_LIMIT = 12_000;

/** Describes the documents of the scope's tenant. */
export async function describeOntology(
  dependencies: { unitOfWork: KnowledgeUnitOfWork<'documents'> },
  scope: TenantScope,
): Promise<OntologyDescription> {
  const outlines = await dependencies.unitOfWork.within(scope, ({ documents }) => documents.listOutlines(DOCUMENT_LIMIT));
  return toOntology(outlines);
}

/** The description of known outlines; pure. */
export function toOntology(outlines: readonly DocumentOutline[]): OntologyDescription {
  const revision = createHash('sha256')
    .update(
      outlines
        .map((outline) => `${outline.id}:${outline.version}`)
        .sort()
        .join('\n'),
    )
    .digest('hex')
    .slice(0, 16);
  const lines: string[] = [];
  let length = 0;
  for (const outline of [...outlines].sort((a, b) => (a.title < b.title ? -1 : a.title > b.title ? 1 : a.id < b.id ? -1 : 1))) {
    const line = describe(outline);
    length += line.length + 1;
    if (length > SUMMARY_LENGTH_LIMIT) break;
    lines.push(line);
  }
  return { summary: lines.join('\n'), revision };
}

function describe(outline: DocumentOutline): string {
  const title = outline.title.replace(/\s+/g, ' ');
  const sections = outline.sections.filter((section) => section !== '').map((section) => section.replace(/\s+/g, ' '));
  return sections.length === 0 ? title : `${title}: ${sections.join(', ')}`;
}
