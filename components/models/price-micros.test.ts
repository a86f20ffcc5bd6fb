import { describe, expect, it } from 'vitest';
import { parseMicros, writeMicros } from './price-micros.ts';

describe('parseMicros', () => {
  it.each([
    ['2.50', 2_500_000],
    ['0.29', 290_000],
    ['1,1', 1_100_000],
    ['15', 15_000_000],
    ['0.000001', 1],
    [' 0 ', 0],
    ['999999999.999999', 999_999_999_999_999],
  ])('takes %s for %d micro-units exactly', (text, micros) => expect(parseMicros(text)).toBe(micros));
  it.each(['', 'free', '-1', '1.', '.5', '1e3', '0.0000001', '1.2.3', '1,000.5', '１'])('takes no amount from %j', (text) =>
    expect(parseMicros(text)).toBeNull(),
  );
});

describe('writeMicros', () => {
  it('writes what parseMicros reads back', () => {
    for (const micros of [0, 1, 10, 290_000, 1_000_000, 2_500_000, 999_999_999_999_999])
      expect(parseMicros(writeMicros(micros))).toBe(micros);
  });
  it('writes no needless zeros', () => expect([2_500_000, 10_000_000, 75_000].map(writeMicros)).toEqual(['2.5', '10', '0.075']));
});
