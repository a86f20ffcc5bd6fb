import type { Id } from '#lib/kernel/index.ts';

/** A chunk that has some of the tokens of a query. */
export interface CandidateChunk {
  readonly chunkId: Id<'chunk'>;
  readonly documentId: Id<'document'>;
  readonly title: string;
  readonly section: string;
  readonly text: string;
  readonly tokenCount: number;
  /** How often each of the query's tokens is in the chunk; those it lacks are absent. */
  readonly matches: ReadonlyMap<string, number>;
}

/** Candidates and the statistics of the tenant's collection that ranking needs. */
export interface SearchCandidates {
  /** Chunks the tenant has. */
  readonly chunkCount: number;
  readonly averageTokenCount: number;
  /** For each token of the query, in how many chunks it stands; absent means none. */
  readonly documentFrequency: ReadonlyMap<string, number>;
  readonly chunks: readonly CandidateChunk[];
}
