import { describe, expect, it } from 'vitest';
import { diffLines } from './line-diff.ts';

const shown = (before: string, after: string) =>
  diffLines(before, after).map(({ kind, text }) => `${{ same: ' ', removed: '-', added: '+' }[kind]}${text}`);

describe('diffLines', () => {
  it('keeps what is the same, and marks the rest', () => {
    expect(shown('a\nb\nc', 'a\nx\nc\nd')).toEqual([' a', '-b', '+x', ' c', '+d']);
    expect(shown('same', 'same')).toEqual([' same']);
    expect(shown('', 'new')).toEqual(['-', '+new']);
  });

  it('replaces what is too long to compare', () => {
    const long = Array.from({ length: 600 }, (_, index) => `line ${index}`).join('\n');
    const lines = diffLines(long, `${long}\nmore`);
    expect([lines.filter(({ kind }) => kind === 'removed').length, lines.filter(({ kind }) => kind === 'added').length]).toEqual([
      600, 601,
    ]);
  });
});
