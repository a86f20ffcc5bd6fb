import type { TenantScope } from '#lib/kernel/index.ts';
import { extractBestLines } from './domain/best-lines.ts';
import { queryTokens } from './domain/chunk-tokens.ts';
import { fuseRankings } from './domain/fuse-rankings.ts';
import { rankChunks, weighToken } from './domain/ranking.ts';
import { findSynonyms, readSynonyms, tokensOfSynonyms } from './domain/synonyms.ts';
import { TERM_LIMIT } from './domain/term.ts';
import type { SearchReader } from './ports.ts';
import type { MeaningSearch } from './search-by-meaning.ts';

/** A passage of a document that answers a query. */
export interface Passage {
  readonly documentId: string;
  readonly chunkId: string;
  readonly title: string;
  readonly section: string;
  /** The lines that answer, word for word. */
  readonly excerpt: string;
  /** 0 to 1. */
  readonly score: number;
}

/** How many chunks are ranked for one search. */
const CANDIDATE_LIMIT = 60;

/**
 * Searches the documents of the scope's tenant: for the query's words, for its terms under their other names, and where a
 * model of embeddings serves for what lies near it in meaning, the rankings fused into one. Best passage first, at most
 * `limit`; none when nothing answers. `onMeaningMissed` is told when such a model serves and could not be asked: the words
 * alone were searched. The caller has checked `knowledge:read`.
 */
export async function searchDocuments(
  { readForSearch, searchMeaning }: { readForSearch: SearchReader; searchMeaning?: MeaningSearch },
  request: { scope: TenantScope; query: string; limit: number; onMeaningMissed?: () => void },
): Promise<Passage[]> {
  const tokens = queryTokens(request.query);
  if (request.query.trim() === '' || (tokens.length === 0 && !searchMeaning)) return [];
  const read = (wanted: readonly string[]) =>
    readForSearch(request.scope, { tokens: wanted, limit: CANDIDATE_LIMIT, termLimit: TERM_LIMIT });
  const meaning = searchMeaning?.(request.scope, request.query) ?? ({ near: null, reason: 'no-model' } as const);
  const [found, meant] = await Promise.all([read(tokens), meaning]);
  const synonyms = findSynonyms(request.query, found.terms);
  const all = [...new Set([...tokens, ...tokensOfSynonyms(synonyms)])];
  // Most queries name no term that is called otherwise too, and are answered by the first look.
  const candidates = all.length === tokens.length ? found.candidates : (await read(all)).candidates;
  const said = readSynonyms(candidates, synonyms);
  const weights = new Map(tokens.map((token) => [token, weighToken(token, said)]));
  for (const [token, lists] of synonyms)
    for (const other of lists.flat()) weights.set(other, weights.get(other) ?? weights.get(token) ?? 0);
  const weightOf = (token: string) => weights.get(token) ?? characterWeight(token, weights);
  const byWords = rankChunks(tokens, said);
  const ranked = meant.near ? fuseRankings(byWords, meant.near) : byWords;
  if (!meant.near && meant.reason === 'failing') request.onMeaningMissed?.();
  return ranked.slice(0, request.limit).map(({ chunk, score }) => ({
    documentId: chunk.documentId,
    chunkId: chunk.chunkId,
    title: chunk.title,
    section: chunk.section,
    excerpt: extractBestLines(chunk.text, weightOf),
    score: Math.round(score * 1000) / 1000,
  }));
}

/** A single Chinese character counts when a pair of the query contains it: 晚上 finds the line about 晚餐. */
function characterWeight(token: string, weights: ReadonlyMap<string, number>): number {
  if ([...token].length > 1 || !/\p{Script=Han}/u.test(token)) return 0;
  return Math.max(0, ...[...weights].filter(([known]) => known.includes(token)).map(([, weight]) => weight));
}
