import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { estimateTokens, estimateUsage } from './estimate-tokens.ts';

describe('estimateTokens', () => {
  it.each([
    ['', 0],
    ['   \n\t', 0],
    ['hello', 1],
    ['The quick brown fox', 4],
    ['internationalisation', 4],
    ['你好，世界。', 6],
    ['東京タワーへ行く', 8],
    ['안녕하세요', 5],
    ['2026', 2],
    ['🎉👍🏽', 3],
    ['if (a === 1) { return b; }', 14],
    ['naïve café', 2],
    ['中文 and English 混合', 7],
    ['中文English混合', 6],
    ['v2版本', 4],
  ])('counts %j as about %d', (text, expected) => {
    expect(estimateTokens(text)).toBe(expected);
  });

  it('never shrinks when a text grows by a line, and never counts more than the characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (one, two) => {
        expect(estimateTokens(`${one}\n${two}`)).toBe(estimateTokens(one) + estimateTokens(two));
        expect(estimateTokens(one)).toBeLessThanOrEqual(one.length);
      }),
    );
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
      inputTokens: 2 + 2 + 3 + 1,
      cachedInputTokens: 0,
      cacheWriteTokens: 0,
      outputTokens: 1,
      reasoningTokens: 3,
      isEstimated: true,
    });
  });
});
