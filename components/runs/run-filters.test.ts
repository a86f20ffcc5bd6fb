import { describe, expect, it } from 'vitest';
import { runListQuery } from '#lib/supervisor/contract.ts';
import { isFiltered, readRunFilters, toRunListQuery, toSearchParams, writeRunFilters } from './run-filters.ts';

describe('run filters', () => {
  it('survive the way into an address and back', () => {
    const filters = {
      state: ['FINISH_ERROR' as const, 'TIMEOUT' as const],
      q: '奖学金 & 食堂',
      preset: null,
      capability: 'knowledge.search',
      actor: null,
      path: 'llm' as const,
      minTook: 1.5,
      maxTook: null,
      minCost: 0.1,
      maxCost: null,
      from: '2026-03-01',
      to: null,
      cursor: null,
    };
    expect(readRunFilters(writeRunFilters(filters))).toEqual(filters);
  });
  it('turn seconds into milliseconds, and drop amounts that are none', () => {
    expect(toRunListQuery(readRunFilters('?minTook=1.5&maxTook=-1&minCost=0.25'), 'UTC')).toEqual({
      limit: 50,
      minMs: 1500,
      minCost: 0.25,
    });
  });
  it('drop a state that does not exist and a day that is none', () => {
    const filters = readRunFilters('?state=NOPE,FINISH_OK&from=2026-13-45');
    expect(toRunListQuery(filters, 'UTC')).toEqual({ limit: 50, state: ['FINISH_OK'] });
  });
  it('make a query that the API takes', () => {
    const filters = readRunFilters('?state=FINISH_OK,CANCELLED&q=%20tokyo%20&from=2026-03-01&to=2026-03-02&cursor=abc');
    const query = toRunListQuery(filters, 'Asia/Tokyo');
    expect(runListQuery.parse({ ...query })).toEqual({ ...query });
    expect(query).toMatchObject({ q: 'tokyo', from: '2026-02-28T15:00:00.000Z', to: '2026-03-02T14:59:59.999Z' });
    expect(toSearchParams(query).getAll('state')).toEqual(['FINISH_OK', 'CANCELLED']);
  });
  it('do not take the place in the list for a filter', () => {
    expect(isFiltered(readRunFilters('?cursor=abc'))).toBe(false);
    expect(isFiltered(readRunFilters('?q=a'))).toBe(true);
  });
});
