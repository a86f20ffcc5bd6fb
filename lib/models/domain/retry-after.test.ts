import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { verifies } from '#e2e/verifies.ts';
import { LONGEST_WAIT_MS, nextWaitMs, readRetryAfter } from './retry-after.ts';

const NOW = new Date('2026-03-01T12:00:00.000Z');
const read = (headers: Record<string, string | undefined>) => readRetryAfter(headers, NOW);

describe('readRetryAfter', () => {
  verifies('K22', 'reads every form in which a provider asks for a wait', () => {
    const forms: readonly [Record<string, string | undefined>, number | null][] = [
      [{ 'retry-after': '7' }, 7_000],
      [{ 'Retry-After': ' 7 ' }, 7_000],
      [{ 'retry-after': '1.5' }, 1_500],
      [{ 'retry-after': '0' }, 0],
      [{ 'retry-after': '86400' }, 86_400_000],
      [{ 'retry-after': 'Sun, 01 Mar 2026 12:00:30 GMT' }, 30_000],
      [{ 'retry-after': 'Sun, 01 Mar 2026 11:00:00 GMT' }, 0],
      [{ 'retry-after-ms': '300' }, 300],
      [{ 'Retry-After-Ms': '300', 'retry-after': '7' }, 300],
      [{ 'retry-after-ms': 'soon', 'retry-after': '7' }, 7_000],
      [{ 'retry-after-ms': '-5', 'retry-after': '7' }, 7_000],
      [{ 'retry-after': '-7' }, null],
      [{ 'retry-after': '+7' }, null],
      [{ 'retry-after': '7e3' }, null],
      [{ 'retry-after': '' }, null],
      [{ 'retry-after': 'soon' }, null],
      [{ 'retry-after': undefined }, null],
      [{}, null],
    ];
    for (const [headers, expected] of forms) expect([headers, read(headers)]).toEqual([headers, expected]);
  });

  it('never asks for a negative or endless wait, whatever the header says', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (seconds, ms) => {
        const wait = read({ 'retry-after': seconds, 'retry-after-ms': ms });
        expect(wait === null || (Number.isFinite(wait) && wait >= 0)).toBe(true);
      }),
    );
  });
});

const waits = (retryAfterMs: number | null, jitter = 0) =>
  [2, 3, 4, 9].map((next) => nextWaitMs({ next, retryAfterMs, random: () => jitter }));

describe('nextWaitMs', () => {
  it('is what the provider asked for, to the longest wait, and else doubles from half a second', () => {
    expect(waits(300)).toEqual([300, 300, 300, 300]);
    expect(waits(0)).toEqual([0, 0, 0, 0]);
    expect(waits(LONGEST_WAIT_MS)).toEqual([60_000, 60_000, 60_000, 60_000]);
    expect(waits(86_400_000)).toEqual([null, null, null, null]);
    expect(waits(null)).toEqual([500, 1_000, 2_000, 8_000]);
    expect(waits(null, 1)).toEqual([625, 1_250, 2_500, 10_000]);
  });
});
