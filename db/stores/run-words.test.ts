import { describe, expect, it } from 'vitest';
import { wordsOfMessage, wordsOfQuery } from './run-words.ts';

describe('wordsOfMessage', () => {
  it('keeps words and pairs of characters', () => {
    expect(wordsOfMessage('Scholarship rules 奖学金')).toEqual(expect.arrayContaining(['scholarship', 'rule', '奖学', '学金']));
  });
  it('keeps nothing of what is personal', () => {
    expect(wordsOfMessage('write to li.wei@example.com or 13800138000')).toEqual(['write']);
  });
  it('stops somewhere', () => {
    const long = Array.from({ length: 3_000 }, (_, number) => `word${number}`).join(' ');
    expect(wordsOfMessage(long)).toHaveLength(256);
  });
});

describe('wordsOfQuery', () => {
  it('takes the last word for a beginning while it is typed', () => {
    expect(wordsOfQuery('echo numb').words).toEqual([
      { text: 'echo', isBeginning: false },
      { text: 'numb', isBeginning: true },
    ]);
    expect(wordsOfQuery('echo numb ').words.every(({ isBeginning }) => !isBeginning)).toBe(true);
    expect(wordsOfQuery('number 17').words).toEqual([
      { text: 'number', isBeginning: false },
      { text: '17', isBeginning: false },
    ]);
  });
  it('says when there is nothing to look up', () => {
    expect(wordsOfQuery('').isHopeless).toBe(false);
    expect(wordsOfQuery('@@@').isHopeless).toBe(true);
  });
});
