import { scanTokens, tokenize } from '#lib/capabilities/index.ts';
import type { DocumentChunk } from './chunking.ts';

/** How often a token stands in a chunk; the headings above it count as part of it. */
export type TokenCounts = ReadonlyMap<string, number>;

/** The tokens of a chunk as they are indexed: its text, its title once and its section headings twice. */
export function countChunkTokens(title: string, chunk: Pick<DocumentChunk, 'section' | 'text'>): TokenCounts {
  const counts = new Map<string, number>();
  const add = (text: string, weight: number) => {
    for (const token of tokenize(text)) counts.set(token, (counts.get(token) ?? 0) + weight);
  };
  add(chunk.text, 1);
  add(title, 1);
  add(chunk.section, 2);
  return counts;
}

/** More tokens than this add nothing to a search and cost an index lookup each. */
export const QUERY_TOKEN_LIMIT = 48;

/**
 * The distinct tokens to look up for a query: words, numbers, Chinese pairs and characters that stand alone. Characters of
 * longer words, which are in everything, only when there is nothing else.
 */
export function queryTokens(query: string): string[] {
  const tokens = scanTokens(withoutHow(query.toWellFormed().normalize('NFKC').slice(0, 4000)));
  const telling = tokens.filter((token) => token.kind !== 'character');
  return [...new Set((telling.length > 0 ? telling : tokens).map((token) => token.text))].slice(0, QUERY_TOKEN_LIMIT);
}

/** In "how late is it open" the adjective asks for a time: it is not what the passage is about. */
function withoutHow(query: string): string {
  return query.replace(/\bhow (late|early|long|often|far|many|much|old|big|soon)\b/gi, ' ');
}
