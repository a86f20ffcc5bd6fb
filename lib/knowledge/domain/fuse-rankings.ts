import type { Id } from '#lib/kernel/index.ts';
import type { RankedChunk } from './ranking.ts';

/** A chunk that lies near a query in a space. */
export interface NearChunk {
  readonly chunkId: Id<'chunk'>;
  readonly documentId: Id<'document'>;
  readonly title: string;
  readonly section: string;
  readonly text: string;
  /** Cosine, -1 to 1. */
  readonly similarity: number;
}

/** The chunks nearest to a query, and how near the tenant's chunks are to it altogether. */
export interface NearChunks {
  readonly chunks: readonly NearChunk[];
  readonly count: number;
  readonly mean: number;
  readonly deviation: number;
}

type Quotable = Pick<NearChunk, 'chunkId' | 'documentId' | 'title' | 'section' | 'text'>;

/** Reciprocal rank fusion (Cormack, Clarke and Büttcher 2009) has one constant, 60 in the paper. */
const K = 60;
const SIMILARITY_FLOOR = 0.2;
/** Of so few chunks no deviation can be told. */
const COUNT_FOR_DEVIATION = 20;
const DEVIATIONS = 1.5;
/** What stands out by its meaning answers at least so much: as much as is put before a model. */
const SCORE_OF_NEAR = 0.4;

/**
 * One ranking of two, best first. Something is always nearest: what does not stand out from the tenant's other chunks is not
 * taken to answer. The scale of similarity differs from model to model, so that it is told from the chunks themselves.
 */
export function fuseRankings(byWords: readonly RankedChunk[], near: NearChunks): { chunk: Quotable; score: number }[] {
  const floor = Math.max(SIMILARITY_FLOOR, near.count >= COUNT_FOR_DEVIATION ? near.mean + DEVIATIONS * near.deviation : SIMILARITY_FLOOR);
  const byMeaning = near.chunks.filter(({ similarity }) => similarity >= floor);
  const fused = new Map<string, { chunk: Quotable; score: number; rank: number }>();
  const add = (chunk: Quotable, score: number, place: number) => {
    const known = fused.get(chunk.chunkId);
    fused.set(chunk.chunkId, {
      chunk,
      score: Math.max(score, known?.score ?? 0),
      rank: (known?.rank ?? 0) + 1 / (K + place + 1),
    });
  };
  for (const [place, { chunk, score }] of byWords.entries()) add(chunk, score, place);
  for (const [place, chunk] of byMeaning.entries()) {
    const share = floor >= 1 ? 1 : Math.min(1, (chunk.similarity - floor) / (1 - floor));
    add(chunk, SCORE_OF_NEAR + (1 - SCORE_OF_NEAR) * share, place);
  }
  return [...fused.values()].sort((a, b) => b.rank - a.rank || b.score - a.score || (a.chunk.chunkId < b.chunk.chunkId ? -1 : 1));
}
