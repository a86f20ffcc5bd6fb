import { describe, expect, it } from 'vitest';
import { syllablesOf } from './pinyin.ts';

describe('syllablesOf', () => {
  it('reads words as they are said, whichever sound a character has alone', () => {
    expect(syllablesOf('校园银行')).toEqual(['xiao', 'yuan', 'yin', 'hang']);
    expect(syllablesOf('行动')).toEqual(['xing', 'dong']);
  });
  it('keeps other letters, and drops what is between', () => {
    expect(syllablesOf('QA_SIM：绿色、2 个')).toEqual(['qasim', 'lv', 'se', '2', 'ge']);
  });
});
