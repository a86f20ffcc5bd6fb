'use client';

import { useTranslations } from 'next-intl';
import { parseAsString, useQueryStates } from 'nuqs';
import { useCallback, useTransition } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Choice } from '#components/ui/choice.tsx';
import { SearchField, useTypedText } from '#components/ui/search-field.tsx';
import type { RoleView } from '#lib/tenancy/contract.ts';
import { useRoleName } from './use-role-name.ts';

const PARSERS = { q: parseAsString, role: parseAsString, cursor: parseAsString };

/** Narrows the list of members. All of it is in the address: typing replaces the entry in the history, a choice adds one. */
export function MemberFilters({ roles }: { roles: readonly RoleView[] }) {
  const t = useTranslations('people.members');
  const roleName = useRoleName();
  const [isPending, startTransition] = useTransition();
  const [filters, setFilters] = useQueryStates(PARSERS, { shallow: false, scroll: false, startTransition });
  const applyText = useCallback((q: string | null) => setFilters({ q, cursor: null }, { history: 'replace' }), [setFilters]);
  const typing = useTypedText(filters.q, applyText);
  const isFiltered = filters.q !== null || filters.role !== null;
  return (
    <div role="search" aria-label={t('search')} aria-busy={isPending} className="flex flex-wrap items-center gap-2">
      <SearchField typing={typing} label={t('text')} className="min-w-48 sm:max-w-72" />
      <Choice
        label={t('role')}
        value={filters.role}
        any={t('anyRole')}
        options={roles.map((role) => [role.key, roleName(role)])}
        onChoose={(role) => void setFilters({ role, cursor: null }, { history: 'push' })}
      />
      {isFiltered ? (
        <Button
          look="quiet"
          onClick={() => {
            typing.setTyped(null);
            void setFilters({ q: null, role: null, cursor: null }, { history: 'push' });
          }}
        >
          {t('clear')}
        </Button>
      ) : null}
    </div>
  );
}
