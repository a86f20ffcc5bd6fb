import { describe, expect, it } from 'vitest';
import { countAt, type SlidingCount, waitFor } from './sliding-count.ts';

const WINDOW_MS = 60_000;
const START_MS = WINDOW_MS * 1000;
const count = (current: number, previous = 0): SlidingCount => ({ window: 1000, current, previous });
const wait = (of: SlidingCount, afterMs: number, limit = 10) =>
  waitFor(countAt(of, START_MS + afterMs, WINDOW_MS), { limit, nowMs: START_MS + afterMs, windowMs: WINDOW_MS });

describe('a sliding count', () => {
  it('admits up to the limit, and says when one more fits', () => {
    expect(wait(count(9), 30_000)).toBe(0);
    // Ten in this window: a tenth of them must slide out of the minute.
    expect(wait(count(10), 30_000)).toBe(30_000 + 6_000);
    expect(wait(count(10), 30_000 + 36_000)).toBe(0);
  });

  it('weighs the last window by what of it is still within the minute', () => {
    expect(wait(count(0, 10), 0)).toBe(6_000);
    expect(wait(count(0, 10), 6_000)).toBe(0);
    expect(wait(count(5, 10), 30_000)).toBe(6_000);
    expect(wait(count(5, 10), 36_000)).toBe(0);
  });

  it('forgets what lies further back', () => {
    expect(countAt(count(10, 10), START_MS + WINDOW_MS, WINDOW_MS)).toEqual({ window: 1001, current: 0, previous: 10 });
    expect(countAt(count(10, 10), START_MS + 2 * WINDOW_MS, WINDOW_MS)).toEqual({ window: 1002, current: 0, previous: 0 });
  });

  it('admits at the moment that it names, whatever the counts', () => {
    for (let current = 0; current < 30; current += 1)
      for (let previous = 0; previous < 30; previous += 3)
        for (const afterMs of [0, 1, 20_000, 59_999]) {
          const waitMs = wait(count(current, previous), afterMs);
          expect(waitMs).toBeGreaterThanOrEqual(0);
          expect(wait(count(current, previous), afterMs + waitMs)).toBe(0);
        }
  });
});
