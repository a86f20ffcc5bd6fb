import { describe, expect, it } from 'vitest';
import { newId } from '#lib/kernel/index.ts';
import { isSampled, traceIdOf } from './trace-ids.ts';

/** Runs of ten thousand moments. */
const TRACES = Array.from({ length: 10_000 }, () => traceIdOf(newId('run')));
const sampled = (share: number) => TRACES.filter((trace) => isSampled(trace, share));

describe('isSampled', () => {
  it.each([0.01, 0.1, 0.5, 0.9])('has a share of %d of all traces in', (share) => {
    // Five standard deviations: once in a million runs of this test.
    const deviation = Math.sqrt(TRACES.length * share * (1 - share));
    expect(Math.abs(sampled(share).length - TRACES.length * share)).toBeLessThan(5 * deviation);
  });

  it('has all in at 1 and none at 0', () => {
    expect(sampled(1)).toHaveLength(TRACES.length);
    expect(sampled(0)).toHaveLength(0);
    expect(isSampled('f'.repeat(32), 1)).toBe(true);
    expect(isSampled('0'.repeat(32), 0)).toBe(false);
  });

  it('decides by the id alone, so that every process and every later segment of a run decides the same', () => {
    expect(sampled(0.3)).toEqual(sampled(0.3));
  });

  it('keeps what a smaller share has in when the share grows', () => {
    const more = new Set(sampled(0.6));
    expect(sampled(0.2).every((trace) => more.has(trace))).toBe(true);
  });
});
