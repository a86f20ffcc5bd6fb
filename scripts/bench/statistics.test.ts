import { describe, expect, it } from 'vitest';
import { coveredMs, median, percentile } from './statistics.ts';

describe('coveredMs', () => {
  it('counts time that intervals share once, and gaps not at all', () => {
    expect(
      coveredMs([
        [10, 20],
        [0, 4],
        [12, 15],
        [18, 25],
      ]),
    ).toBe(19);
  });
});

describe('median', () => {
  it('is the middle value, or the mean of the two in the middle', () => {
    expect([median([9, 1, 5]), median([4, 1, 2, 9])]).toEqual([5, 3]);
  });
});

describe('percentile', () => {
  it('takes the highest value for what lies beyond the last', () => {
    const values = Array.from({ length: 100 }, (_value, index) => index + 1);
    expect([percentile(values, 50), percentile(values, 99), percentile(values, 100)]).toEqual([51, 100, 100]);
  });
});
