import { createLoader, parseAsString, parseAsStringLiteral } from 'nuqs/server';
import { type ListPlugins, pluginKind, pluginState } from '#lib/plugins/contract.ts';

export const PLUGIN_VIEWS = ['installed', 'all', 'requests'] as const;
export type PluginView = (typeof PLUGIN_VIEWS)[number];

/** What the list of plugins can be narrowed by; the address is where it is kept, so that a link carries it. */
export const pluginFilterParsers = {
  view: parseAsStringLiteral(PLUGIN_VIEWS),
  q: parseAsString,
  kind: parseAsStringLiteral(pluginKind.options),
  domain: parseAsString,
  state: parseAsStringLiteral(pluginState.options),
  permission: parseAsString,
};

export const readPluginFilters = createLoader(pluginFilterParsers);
export type PluginFilters = Awaited<ReturnType<typeof readPluginFilters>>;

/** Whether anything is narrowed; the view is not a filter. */
export function isFiltered({ view: _view, ...filters }: PluginFilters): boolean {
  return Object.values(filters).some((value) => value !== null && value !== '');
}

/** What is shown where nobody has chosen: what is installed, once anything is; to look for something is to look at all. */
export function viewOf(filters: PluginFilters, installedCount: number): PluginView {
  return filters.view ?? (installedCount > 0 && !isFiltered(filters) ? 'installed' : 'all');
}

/** The query that filters stand for. */
export function toPluginQuery({ q, kind, domain, state, permission }: PluginFilters, view: PluginView): ListPlugins {
  return {
    ...(q?.trim() ? { q: q.trim().slice(0, 200) } : {}),
    ...(kind ? { kind } : {}),
    ...(domain ? { domain } : {}),
    ...(permission ? { permission } : {}),
    ...(state ? { state } : view === 'installed' ? { state: 'in-use' as const } : {}),
  };
}
