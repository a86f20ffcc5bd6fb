import { describe, expect, it } from 'vitest';
import { readOnceAMoment } from './read-once-a-moment.ts';

function counted() {
  const reads: string[] = [];
  const read = readOnceAMoment(async (key: string) => {
    reads.push(key);
    return `${key} ${reads.length}`;
  });
  return { reads, read };
}

describe('readOnceAMoment', () => {
  it('reads once for all who ask together, and each key for itself', async () => {
    const { reads, read } = counted();
    expect(await Promise.all([read('a'), read('a'), read('b'), read('a')])).toEqual(['a 1', 'a 1', 'b 2', 'a 1']);
    expect(reads).toEqual(['a', 'b']);
  });
  it('reads anew for whoever asks later, though the first answer is still awaited', async () => {
    const { reads, read } = counted();
    const first = read('a');
    await Promise.resolve();
    const second = read('a');
    expect(await Promise.all([first, second])).toEqual(['a 1', 'a 2']);
    expect(reads).toEqual(['a', 'a']);
  });
  it('gives a failed read to those who asked with it, and to no one after', async () => {
    let isDown = true;
    const read = readOnceAMoment(async () => {
      if (isDown) throw new Error('down');
      return 'up';
    });
    const outcomes = await Promise.allSettled([read(undefined), read(undefined)]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    isDown = false;
    expect(await read(undefined)).toBe('up');
  });
});
