import { scanTokens } from '#lib/capabilities/index.ts';
import { queryTokens } from './chunk-tokens.ts';
import type { SearchCandidates } from './search-candidates.ts';
import type { OntologyTermDraft } from './term.ts';

/** Other ways to say what a query says: for a token of the query, lists of tokens that stand for it when all are there. */
export type Synonyms = ReadonlyMap<string, readonly (readonly string[])[]>;

/** Lists for one token; more cost an index lookup each and add little. */
const LIST_LIMIT = 6;

/** Finds the terms, and synonyms of terms, that a query names, and what else they are called. */
export function findSynonyms(query: string, terms: readonly Pick<OntologyTermDraft, 'term' | 'synonyms'>[]): Synonyms {
  const asked = new Set(scanTokens(query.toWellFormed().normalize('NFKC').slice(0, 4000)).map((token) => token.text));
  const found = new Map<string, (readonly string[])[]>();
  for (const { term, synonyms } of terms) {
    const names = [term, ...synonyms].map(queryTokens).filter((tokens) => tokens.length > 0);
    const named = names.filter((tokens) => tokens.every((token) => asked.has(token)));
    if (named.length === 0) continue;
    const others = names.filter((tokens) => !named.includes(tokens));
    for (const token of new Set(named.flat())) {
      found.set(token, [...(found.get(token) ?? []), ...others].slice(0, LIST_LIMIT));
    }
  }
  return found;
}

/** The tokens to look up beside those of the query. */
export function tokensOfSynonyms(synonyms: Synonyms): string[] {
  return [...new Set([...synonyms.values()].flat(2))];
}

/**
 * Counts by token, such as how often each is in a passage, as if who says it otherwise said it in the words of the query: an
 * other name counts as often as its rarest word.
 */
export function sayInWordsOfQuery(counts: ReadonlyMap<string, number>, synonyms: Synonyms): Map<string, number> {
  const said = new Map(counts);
  for (const [token, lists] of synonyms) {
    const others = lists.map((list) => Math.min(...list.map((other) => counts.get(other) ?? 0)));
    const most = Math.max(counts.get(token) ?? 0, ...others);
    if (most > 0) said.set(token, most);
  }
  return said;
}

/** Candidates in the words of the query. */
export function readSynonyms(candidates: SearchCandidates, synonyms: Synonyms): SearchCandidates {
  if (synonyms.size === 0) return candidates;
  return {
    ...candidates,
    documentFrequency: sayInWordsOfQuery(candidates.documentFrequency, synonyms),
    chunks: candidates.chunks.map((chunk) => ({ ...chunk, matches: sayInWordsOfQuery(chunk.matches, synonyms) })),
  };
}
