import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { verifies } from '#e2e/verifies.ts';
import { costMicros, type Price } from './price.ts';
import { totalTokens, type Usage } from './usage.ts';

const NOTHING: Usage = {
  inputTokens: 0,
  cachedInputTokens: 0,
  cacheWriteTokens: 0,
  outputTokens: 0,
  reasoningTokens: 0,
  isEstimated: false,
};
const PRICE: Price = {
  currency: 'USD',
  inputMicros: 3_000_000,
  cachedInputMicros: 300_000,
  cacheWriteMicros: 3_750_000,
  outputMicros: 15_000_000,
};
const tokens = fc.nat({ max: 10_000_000 });

const cost = (usage: Partial<Usage>) => costMicros({ ...NOTHING, ...usage }, PRICE);

describe('costMicros', () => {
  verifies('K31', 'charges each class of tokens once, at its own price', () => {
    expect(cost({ inputTokens: 1_000_000 })).toBe(3_000_000);
    expect(cost({ cachedInputTokens: 1_000_000 })).toBe(300_000);
    expect(cost({ cacheWriteTokens: 1_000_000 })).toBe(3_750_000);
    expect(cost({ outputTokens: 1_000_000 })).toBe(15_000_000);
    expect(cost({ reasoningTokens: 1_000_000 })).toBe(15_000_000);
    expect(cost({ inputTokens: 100, cachedInputTokens: 900, outputTokens: 50 })).toBe(300 + 270 + 750);
  });

  it('rounds a part of a micro-unit up, and nothing to nothing', () => {
    const cheap = { ...PRICE, inputMicros: 1 };
    expect(costMicros({ ...NOTHING, inputTokens: 1 }, cheap)).toBe(1);
    expect(costMicros({ ...NOTHING, inputTokens: 1_000_001 }, cheap)).toBe(2);
    expect(costMicros(NOTHING, cheap)).toBe(0);
  });

  it('is not known without a price: unknown is not free', () => {
    expect(costMicros({ ...NOTHING, inputTokens: 1 }, null)).toBeNull();
  });

  it('is a whole number that grows with every class', () => {
    fc.assert(
      fc.property(tokens, tokens, tokens, (inputTokens, cachedInputTokens, outputTokens) => {
        const usage = { ...NOTHING, inputTokens, cachedInputTokens, outputTokens };
        const before = costMicros(usage, PRICE);
        expect(Number.isSafeInteger(before)).toBe(true);
        expect(costMicros({ ...usage, outputTokens: outputTokens + 1 }, PRICE)).toBeGreaterThan(before ?? Number.POSITIVE_INFINITY);
        expect(totalTokens(usage)).toBe(inputTokens + cachedInputTokens + outputTokens);
      }),
    );
  });
});
