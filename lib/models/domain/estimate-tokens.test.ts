import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { estimateTokens, estimateUsage, rememberCounts } from './estimate-tokens.ts';

describe('estimateTokens', () => {
  it.each([
    ['', 0],
    ['hello', 1],
    ['The quick brown fox', 4],
    ['internationalisation', 3],
    ['camelCaseNames', 3],
    ['你好，世界。', 6],
    ['東京タワーへ行く', 8],
    ['안녕하세요', 5],
    ['2026', 2],
    ['🎉', 3],
    ['naïve café', 4],
    ['中文English混合', 5],
    ['v2版本', 4],
    ['----------------', 2],
    ['\n\n        ', 1],
  ])('counts %j as about %d', (text, expected) => {
    expect(estimateTokens(text)).toBe(expected);
  });

  it('counts two texts about as it counts them joined, and never more than their bytes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (one, two) => {
        expect(estimateTokens(`${one}\n${two}`)).toBeLessThanOrEqual(estimateTokens(one) + estimateTokens(two) + 1);
        expect(estimateTokens(one)).toBeLessThanOrEqual(Buffer.byteLength(one));
      }),
    );
  });
});

describe('rememberCounts', () => {
  it('counts no text twice, and takes a very long one to go on as it begins', () => {
    const counted: number[] = [];
    const count = rememberCounts((text) => {
      counted.push(text.length);
      return text.length / 4;
    });
    expect([count('abcd'), count('abcd'), count('x'.repeat(4_000_000))]).toEqual([1, 1, 1_000_000]);
    expect(counted).toEqual([4, 400_000]);
  });
});

describe('estimateUsage', () => {
  it('counts what was sent, what was said and what was thought apart, and says that it is an estimate', () => {
    const usage = estimateUsage(
      [
        { role: 'system', content: 'Be brief' },
        { role: 'user', content: '你好' },
        { role: 'assistant', content: [{ type: 'tool-call', callId: 'c', toolName: 'echo', arguments: {} }] },
        { role: 'tool', results: [{ callId: 'c', toolName: 'echo', text: 'done', isError: false }] },
      ],
      [
        { type: 'reasoning', text: 'I think so', provider: 'compatible', attached: null },
        { type: 'text', text: 'Yes' },
      ],
    );
    expect(usage).toEqual({
      inputTokens: 10,
      cachedInputTokens: 0,
      cacheWriteTokens: 0,
      outputTokens: 1,
      reasoningTokens: 3,
      isEstimated: true,
    });
  });
});
