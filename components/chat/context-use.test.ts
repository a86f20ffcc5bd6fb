import { describe, expect, it } from 'vitest';
import { contextUse, isNearlyFull } from './context-use.ts';

const context = { windowTokens: 4_000, limitTokens: 1_000, system: 200, summary: 50, history: 500, tools: 100 };

describe('contextUse', () => {
  it('sums what was sent and says what is left, never less than nothing', () => {
    expect(contextUse(context)).toEqual({ used: 850, free: 150, share: 0.85 });
    expect(contextUse({ ...context, history: 900 }).free).toBe(0);
  });

  it('is nearly full above 85 of 100', () => {
    expect([isNearlyFull(context), isNearlyFull({ ...context, history: 501 })]).toEqual([false, true]);
  });
});
