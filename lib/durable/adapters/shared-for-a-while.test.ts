import { describe, expect, it } from 'vitest';
import { sharedForAWhile } from './shared-for-a-while.ts';

describe('sharedForAWhile', () => {
  it('reads once for all who ask within the time, and anew after it', async () => {
    let [reads, now] = [0, 0];
    const read = sharedForAWhile(
      1_000,
      async () => (reads += 1),
      () => now,
    );
    expect(await Promise.all([read(), read()])).toEqual([1, 1]);
    now = 999;
    expect(await read()).toBe(1);
    now = 1_000;
    expect(await read()).toBe(2);
  });

  it('does not keep a failure', async () => {
    let reads = 0;
    const read = sharedForAWhile(
      1_000,
      async () => {
        reads += 1;
        if (reads === 1) throw new Error('away');
        return reads;
      },
      () => 0,
    );
    await expect(read()).rejects.toThrow('away');
    expect(await read()).toBe(2);
  });
});
