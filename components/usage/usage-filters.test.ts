import { describe, expect, it } from 'vitest';
import { daysBetween, readUsageFilters, writeUsageFilters } from './usage-filters.ts';

describe('the filters of usage', () => {
  it('are read from the address, and what is no filter counts as not said', () => {
    expect(readUsageFilters({ by: 'person', days: '7' })).toEqual({ by: 'person', days: 7 });
    expect(readUsageFilters({ by: 'nothing', days: '8' })).toEqual({ by: 'model', days: 30 });
    expect(readUsageFilters({ by: ['day', 'model'] })).toEqual({ by: 'model', days: 30 });
  });

  it('are written as they are read', () => expect(writeUsageFilters({ by: 'day', days: 90 })).toBe('?by=day&days=90'));
});

describe('daysBetween', () => {
  it('names each day once, the first and the last with them', () => {
    expect(daysBetween('2026-02-27', '2026-03-01')).toEqual(['2026-02-27', '2026-02-28', '2026-03-01']);
    expect(daysBetween('2026-03-01', '2026-03-01')).toEqual(['2026-03-01']);
  });
});
