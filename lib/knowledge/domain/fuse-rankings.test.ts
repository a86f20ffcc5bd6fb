import { describe, expect, it } from 'vitest';
import { newId } from '#lib/kernel/index.ts';
import { fuseRankings, type NearChunk } from './fuse-rankings.ts';

const chunk = (title: string, similarity: number): NearChunk => ({
  chunkId: newId('chunk'),
  documentId: newId('document'),
  title,
  section: '',
  text: title,
  similarity,
});
const byWords = (...chunks: NearChunk[]) =>
  chunks.map((one, place) => ({ chunk: { ...one, tokenCount: 1, matches: new Map<string, number>() }, score: 0.9 - place * 0.1 }));
const titlesOf = (ranked: ReturnType<typeof fuseRankings>) => ranked.map(({ chunk: { title } }) => title);
const few = { count: 3, mean: 0, deviation: 0 };

describe('fuseRankings', () => {
  it('puts what both rankings have before what one of them puts first', () => {
    const [both, words, meaning] = [chunk('both', 0.5), chunk('words', 0), chunk('meaning', 0.9)];
    const ranked = fuseRankings(byWords(words, both), { ...few, chunks: [meaning, both] });
    expect(titlesOf(ranked)).toEqual(['both', 'meaning', 'words']);
    expect(ranked[0]?.score).toBeCloseTo(0.8);
  });

  it('does not take what is merely nearest to answer', () => {
    const near = [chunk('a', 0.19), chunk('b', 0.1)];
    expect(fuseRankings([], { ...few, chunks: near })).toEqual([]);
    // A model in whose space everything lies near everything.
    const crowd = { count: 500, mean: 0.7, deviation: 0.04 };
    const ranked = fuseRankings([], { ...crowd, chunks: [chunk('stands out', 0.85), chunk('like the rest', 0.74)] });
    expect(titlesOf(ranked)).toEqual(['stands out']);
    expect(ranked[0]?.score).toBeGreaterThanOrEqual(0.4);
  });

  it('leaves the ranking by words as it is where nothing lies near', () => {
    const [first, second] = [chunk('first', 0), chunk('second', 0)];
    expect(titlesOf(fuseRankings(byWords(first, second), { count: 0, mean: 0, deviation: 0, chunks: [] }))).toEqual(['first', 'second']);
  });
});
