import { describe, expect, it } from 'vitest';
import { verifies } from '#e2e/verifies.ts';
import { storableJson, storableText } from './storable-text.ts';

describe('storableText', () => {
  verifies('K23', 'replaces what Postgres cannot hold, and nothing else', () => {
    expect(storableText('a\u0000b \ud800 \udc00 c')).toBe('a\ufffdb \ufffd \ufffd c');
    expect(storableText('\\u0000 \\x00 😀 学生 \u0001\ufffe')).toBe('\\u0000 \\x00 😀 学生 \u0001\ufffe');
  });
});

describe('storableJson', () => {
  it('reaches every string, keys included, and leaves other values as JSON has them', () => {
    const at = new Date(0);
    expect(storableJson({ 'k\u0000': ['\ud800', { deep: 'a\u0000' }], n: 1, no: null, yes: true, at })).toEqual({
      'k\ufffd': ['\ufffd', { deep: 'a\ufffd' }],
      n: 1,
      no: null,
      yes: true,
      at: at.toISOString(),
    });
  });
});
