'use client';

import { useTranslations } from 'next-intl';
import { useQueryStates } from 'nuqs';
import { useCallback, useTransition } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Choice } from '#components/ui/choice.tsx';
import { SearchField, useTypedText } from '#components/ui/search-field.tsx';
import { type PluginPage, pluginKind, pluginState } from '#lib/plugins/contract.ts';
import { isFiltered, pluginFilterParsers } from './plugin-filters.ts';
import { usePermissionName } from './use-permission-name.ts';

/** Narrows the list of plugins. All of it is in the address: typing replaces the entry in the history, a choice adds one. */
export function PluginFilterBar({ facets }: { facets: PluginPage['facets'] }) {
  const t = useTranslations('marketplace');
  const permissionName = usePermissionName();
  const [isPending, startTransition] = useTransition();
  const [filters, setFilters] = useQueryStates(pluginFilterParsers, { shallow: false, scroll: false, startTransition });
  const applyText = useCallback((q: string | null) => setFilters({ q }, { history: 'replace' }), [setFilters]);
  const typing = useTypedText(filters.q, applyText);
  const choose = (change: Partial<typeof filters>) => void setFilters(change, { history: 'push' });
  const anyOf = (what: string) => `${what}: ${t('filters.any')}`;
  return (
    <div
      role="search"
      aria-label={t('filters.label')}
      aria-busy={isPending}
      className="flex shrink-0 flex-wrap items-center gap-2 border-b border-border px-4 py-2"
    >
      <SearchField typing={typing} label={t('filters.text')} className="min-w-56 lg:max-w-80" />
      <Choice
        label={t('filters.kind')}
        any={anyOf(t('filters.kind'))}
        value={filters.kind}
        options={facets.kinds.map((kind) => [kind, t(`kinds.${kind}`)])}
        onChoose={(value) => choose({ kind: pluginKind.safeParse(value).data ?? null })}
      />
      <Choice
        label={t('filters.domain')}
        any={anyOf(t('filters.domain'))}
        value={filters.domain}
        options={facets.domains.map((domain) => [domain, domain])}
        onChoose={(domain) => choose({ domain })}
      />
      <Choice
        label={t('filters.state')}
        any={anyOf(t('filters.state'))}
        value={filters.state}
        options={pluginState.options.map((state) => [state, t(`states.${state}`)])}
        onChoose={(value) => choose({ state: pluginState.safeParse(value).data ?? null })}
      />
      <Choice
        label={t('filters.permission')}
        any={anyOf(t('filters.permission'))}
        value={filters.permission}
        options={facets.permissions.map((permission) => [permission, permissionName(permission)])}
        onChoose={(permission) => choose({ permission })}
      />
      {isFiltered(filters) ? (
        <Button look="quiet" onClick={() => choose({ q: null, kind: null, domain: null, state: null, permission: null })}>
          {t('filters.clear')}
        </Button>
      ) : null}
    </div>
  );
}
