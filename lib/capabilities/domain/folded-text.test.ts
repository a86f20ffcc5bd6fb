import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldText } from './folded-text.ts';

describe('foldText', () => {
  it.each([
    ['ＡＢＣ１２３，？', 'abc123,?'],
    ['What’s “that”', 'what\'s "that"'],
    ['a\u3000b\u00A0c', 'a b c'],
    ['5 − 3 – 1', '5 - 3 - 1'],
    ['İstanbul ÉCOLE', 'İstanbul école'],
    ['a\u0000b', 'a b'],
    ['中文。', '中文。'],
  ])('folds %s', (text, folded) => {
    expect(foldText(text)).toBe(folded);
  });

  it('never moves anything: the length stays', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => foldText(text).length === text.length));
  });
});
