'use client';

import { SearchIcon } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { parseAsString, useQueryStates } from 'nuqs';
import { useEffect, useState, useTransition } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Input, Select } from '#components/ui/input.tsx';
import type { RoleView } from '#lib/tenancy/contract.ts';
import { useRoleName } from './use-role-name.ts';

const PARSERS = { q: parseAsString, role: parseAsString, cursor: parseAsString };
const TYPING_PAUSE_MS = 300;

/** Narrows the list of members. All of it is in the address: typing replaces the entry in the history, a choice adds one. */
export function MemberFilters({ roles }: { roles: readonly RoleView[] }) {
  const t = useTranslations('people.members');
  const roleName = useRoleName();
  const [isPending, startTransition] = useTransition();
  const [filters, setFilters] = useQueryStates(PARSERS, { shallow: false, scroll: false, startTransition });
  const [typed, setTyped] = useState<string | null>(null);
  const [isComposing, setIsComposing] = useState(false);
  useEffect(() => {
    if (isComposing || typed === null) return undefined;
    const apply = async () => {
      await setFilters({ q: typed.trim() || null, cursor: null }, { history: 'replace' });
      setTyped((latest) => (latest === typed ? null : latest));
    };
    const timer = setTimeout(() => void apply(), TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed, isComposing, setFilters]);
  const isFiltered = filters.q !== null || filters.role !== null;
  return (
    <div role="search" aria-label={t('search')} aria-busy={isPending} className="flex flex-wrap items-center gap-2">
      <div className="relative min-w-48 flex-1 sm:max-w-72">
        <SearchIcon
          aria-hidden
          className="pointer-events-none absolute start-2.5 top-1/2 size-3.5 -translate-y-1/2 text-muted-foreground"
        />
        <Input
          type="search"
          value={typed ?? filters.q ?? ''}
          onChange={(event) => setTyped(event.target.value)}
          onCompositionStart={() => setIsComposing(true)}
          onCompositionEnd={() => setIsComposing(false)}
          aria-label={t('text')}
          placeholder={t('text')}
          className="ps-8"
        />
      </div>
      <Select
        value={filters.role ?? ''}
        onChange={(event) => void setFilters({ role: event.target.value || null, cursor: null }, { history: 'push' })}
        aria-label={t('role')}
        className="w-auto"
      >
        <option value="">{t('anyRole')}</option>
        {roles.map((role) => (
          <option key={role.key} value={role.key}>
            {roleName(role)}
          </option>
        ))}
      </Select>
      {isFiltered ? (
        <Button
          look="quiet"
          onClick={() => {
            setTyped(null);
            void setFilters({ q: null, role: null, cursor: null }, { history: 'push' });
          }}
        >
          {t('clear')}
        </Button>
      ) : null}
    </div>
  );
}
