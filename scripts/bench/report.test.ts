import { describe, expect, it } from 'vitest';
import type { Round } from './measure-turns.ts';
import { summarise } from './report.ts';

const rounds = (...given: [otherLoad: number, overhead: number][]): Round[] =>
  given.map(([otherLoad, overhead]) => ({ otherLoad, figures: { overhead } }));

describe('summarise', () => {
  it('leaves out rounds that others disturbed while three quiet ones remain', () => {
    const summary = summarise('row', rounds([0, 10], [1.5, 90], [0.1, 12], [0.3, 11], [0.9, 50]), 0.4);
    expect(summary).toMatchObject({ rounds: 5, leftOut: 2, maxOtherLoad: 0.3, figures: { overhead: { median: 11, min: 10, max: 12 } } });
  });

  it('takes the quieter half where it was never quiet, and says how loud it was', () => {
    const summary = summarise('row', rounds([1.9, 90], [1.1, 20], [1.5, 40], [1.2, 30], [1.6, 50], [1.8, 60]), 0.4);
    expect(summary).toMatchObject({ leftOut: 3, maxOtherLoad: 1.5, figures: { overhead: { median: 30, max: 40 } } });
  });
});
