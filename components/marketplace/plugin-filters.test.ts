import { describe, expect, it } from 'vitest';
import { isFiltered, type PluginFilters, toPluginQuery, viewOf } from './plugin-filters.ts';

const none: PluginFilters = { view: null, q: null, kind: null, domain: null, state: null, permission: null };

describe('the view of the marketplace', () => {
  it('is what is installed once anything is, and all of it for whoever looks for something', () => {
    expect(viewOf(none, 0)).toBe('all');
    expect(viewOf(none, 2)).toBe('installed');
    expect(viewOf({ ...none, q: 'dice' }, 2)).toBe('all');
    expect(viewOf({ ...none, view: 'installed', q: 'dice' }, 0)).toBe('installed');
  });
});

describe('the filters of the marketplace', () => {
  it('become a query, and an empty one is none', () => {
    expect(isFiltered({ ...none, view: 'all', q: '' })).toBe(false);
    expect(isFiltered({ ...none, domain: 'campus' })).toBe(true);
    expect(toPluginQuery({ ...none, q: ' 骰子 ', kind: 'tool' }, 'all')).toEqual({ q: '骰子', kind: 'tool' });
    expect(toPluginQuery(none, 'installed')).toEqual({ state: 'in-use' });
    expect(toPluginQuery({ ...none, state: 'disabled' }, 'installed')).toEqual({ state: 'disabled' });
  });
});
