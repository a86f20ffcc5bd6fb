import type { Id } from '#lib/kernel/index.ts';

/** What a person writes about a word of their organisation. */
export interface OntologyTermDraft {
  readonly term: string;
  readonly meaning: string;
  /** Other words for the same. */
  readonly synonyms: readonly string[];
}

export interface OntologyTerm extends OntologyTermDraft {
  readonly id: Id<'term'>;
  /** Raised by each save. */
  readonly version: number;
  readonly updatedAt: Date;
}

/** What a tenant explains; more would not be put before a model. */
export const TERM_LIMIT = 300;

/** A draft as it is stored: without blanks around words, and each word once, whatever its case. */
export function tidyTerm({ term, meaning, synonyms }: OntologyTermDraft): OntologyTermDraft {
  const name = oneLine(term);
  const seen = new Set([name.toLowerCase()]);
  const kept: string[] = [];
  for (const synonym of synonyms.map(oneLine)) {
    if (synonym === '' || seen.has(synonym.toLowerCase())) continue;
    seen.add(synonym.toLowerCase());
    kept.push(synonym);
  }
  return { term: name, meaning: oneLine(meaning), synonyms: kept };
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
