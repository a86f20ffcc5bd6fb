import { describe, expect, it } from 'vitest';
import { verifies } from '#e2e/verifies.ts';
import { LONGEST_RETRY_AFTER_MS, retryWaitMs } from './retry-policy.ts';

const keyed = { sideEffect: 'write', idempotency: 'keyed' } as const;
const wait = (overrides: Partial<Parameters<typeof retryWaitMs>[0]> = {}) =>
  retryWaitMs({ error: { code: 'unavailable' }, attempt: 1, metadata: keyed, random: () => 0, ...overrides });
const asked = (retryAfterMs: unknown) => wait({ error: { code: 'rate_limited', details: { retryAfterMs } } });

describe('retryWaitMs', () => {
  verifies('H-16', 'doubles from a quarter of a second, spread by up to a quarter, until the limit', () => {
    const metadata = { ...keyed, maxRetries: 9 };
    const waits = (jitter: number) => [1, 2, 3, 6, 8, 10].map((attempt) => wait({ attempt, metadata, random: () => jitter }));
    expect(waits(0)).toEqual([250, 500, 1_000, 8_000, 10_000, null]);
    expect(waits(1)).toEqual([313, 625, 1_250, 10_000, 12_500, null]);
    expect([1, 2, 3].map((attempt) => wait({ attempt }))).toEqual([250, 500, null]);
    expect(wait({ metadata: { ...keyed, maxRetries: 0 } })).toBeNull();
  });

  verifies('K22', 'is what was asked for, up to a limit, and never a negative wait', () => {
    expect([0, 7_000, LONGEST_RETRY_AFTER_MS].map(asked)).toEqual([0, 7_000, LONGEST_RETRY_AFTER_MS]);
    expect(asked(86_400_000)).toBeNull();
    expect([-7, Number.NaN, 'soon'].map(asked)).toEqual([250, 250, 250]);
  });

  it('repeats only what failed in passing, and only where a repeat does no harm', () => {
    expect(wait({ error: { code: 'capability_failed' } })).toBeNull();
    expect(wait({ error: { code: 'timeout' } })).toBeNull();
    expect(wait({ metadata: { sideEffect: 'write', idempotency: 'none' } })).toBeNull();
    expect(wait({ metadata: { sideEffect: 'destructive', idempotency: 'none' } })).toBeNull();
    expect(wait({ metadata: { sideEffect: 'read', idempotency: 'none' } })).toBe(250);
    expect(wait({ metadata: { sideEffect: 'write', idempotency: 'idempotent' } })).toBe(250);
  });
});
