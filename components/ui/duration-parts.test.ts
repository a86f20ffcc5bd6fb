import { describe, expect, it } from 'vitest';
import { durationParts } from './duration-parts.ts';

describe('durationParts', () => {
  it('never writes 1000 ms, 60.0 s or 60 s of a minute', () => {
    expect(durationParts(999.4)).toEqual({ unit: 'ms', value: 999 });
    expect(durationParts(999.6)).toEqual({ unit: 's', value: 1 });
    expect(durationParts(59_949)).toEqual({ unit: 's', value: 59.9 });
    expect(durationParts(59_951)).toEqual({ unit: 'min', minutes: 1, seconds: 0 });
    expect(durationParts(3_599_600)).toEqual({ unit: 'h', hours: 1, minutes: 0 });
  });
  it('takes a clock that went backwards as no time', () => {
    expect(durationParts(-5)).toEqual({ unit: 'ms', value: 0 });
  });
});
