import { queryTokens } from './chunk-tokens.ts';
import type { CandidateChunk, SearchCandidates } from './search-candidates.ts';

/** A candidate with its score: 0 to 1, the share of the query's weight that the chunk answers, damped by its length. */
export interface RankedChunk {
  readonly chunk: CandidateChunk;
  readonly score: number;
}

/**
 * Ranks candidates by BM25 (Robertson and Zaragoza 2009, k1 = 1.2, b = 0.75), best first, and drops what answers little of
 * the query or far less than the best does. A token no chunk has counts as asked for and not answered.
 */
export function rankChunks(tokens: readonly string[], candidates: SearchCandidates): RankedChunk[] {
  const weights = new Map(tokens.map((token) => [token, weighToken(token, candidates)]));
  const total = [...weights.values()].reduce((sum, weight) => sum + weight, 0);
  if (total === 0) return [];
  const ranked = candidates.chunks
    .map((chunk) => ({
      chunk,
      score: Math.min(
        1,
        ([...weights].reduce((sum, [token, weight]) => sum + weight * saturation(chunk, token, candidates.averageTokenCount), 0) / total) *
          (1 + TITLE_BONUS * titleShare(chunk.title, weights)),
      ),
    }))
    .sort((a, b) => b.score - a.score || (a.chunk.chunkId < b.chunk.chunkId ? -1 : 1));
  const best = ranked[0]?.score ?? 0;
  return ranked.filter((entry) => entry.score >= SCORE_FLOOR && entry.score >= best * SHARE_OF_BEST);
}

/** A single Chinese character is found inside other words too. */
export function weighToken(token: string, candidates: Pick<SearchCandidates, 'documentFrequency' | 'chunkCount'>): number {
  const weight = inverseFrequency(candidates.documentFrequency.get(token) ?? 0, candidates.chunkCount);
  if (/^\p{Script=Han}$/u.test(token)) return weight * 0.6;
  // A pair that no passage has mostly spans two words.
  return !candidates.documentFrequency.has(token) && /^\p{Script=Han}{2}$/u.test(token) ? weight * 0.25 : weight;
}

const K1 = 1.2;
const B = 0.75;
const SCORE_FLOOR = 0.12;
const SHARE_OF_BEST = 0.55;

/** What a document named in the query gains over one that only uses its words. */
const TITLE_BONUS = 0.4;

/** How much of a document's title the query says. */
function titleShare(title: string, weights: ReadonlyMap<string, number>): number {
  const tokens = queryTokens(title);
  return tokens.length === 0 ? 0 : tokens.filter((token) => weights.has(token)).length / tokens.length;
}

/** 0 for a token the chunk lacks, towards 1 for one it repeats. */
function saturation(chunk: CandidateChunk, token: string, averageTokenCount: number): number {
  const count = chunk.matches.get(token) ?? 0;
  const length = averageTokenCount > 0 ? chunk.tokenCount / averageTokenCount : 1;
  return count / (count + K1 * (1 - B + B * length));
}

/** Never negative, as plain BM25 can be for words in more than half of a small collection. */
function inverseFrequency(frequency: number, chunkCount: number): number {
  return Math.log(1 + (chunkCount - Math.min(frequency, chunkCount) + 0.5) / (frequency + 0.5));
}
