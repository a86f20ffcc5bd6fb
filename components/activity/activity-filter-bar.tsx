'use client';

import { useTranslations } from 'next-intl';
import { useQueryStates } from 'nuqs';
import { type ReactNode, useTransition } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Input, Select } from '#components/ui/input.tsx';
import { auditKind } from '#lib/audit/contract.ts';
import { activityParsers, isNarrowed, VIAS } from './activity-filters.ts';

/** Narrows the activity; what is chosen stands in the address. */
export function ActivityFilterBar({ people }: { people: readonly { value: string; label: string }[] }) {
  const t = useTranslations('activity.filters');
  const kinds = useTranslations('activity.kinds');
  const vias = useTranslations('activity.vias');
  const [isPending, startTransition] = useTransition();
  const [filters, setFilters] = useQueryStates(activityParsers, { shallow: false, startTransition, history: 'push' });
  const choose = (change: Partial<typeof filters>) => void setFilters({ ...change, cursor: null });
  return (
    <div
      role="search"
      aria-label={t('label')}
      aria-busy={isPending}
      className="flex shrink-0 flex-wrap items-end gap-x-3 gap-y-2 border-b border-border px-4 py-2"
    >
      <Labelled label={t('kind')}>
        <Select
          aria-label={t('kind')}
          value={filters.kind ?? ''}
          onChange={(event) => choose({ kind: auditKind.options.find((kind) => kind === event.target.value) ?? null, type: null })}
        >
          <option value="">{t('any')}</option>
          {auditKind.options.map((kind) => (
            <option key={kind} value={kind}>
              {kinds(kind)}
            </option>
          ))}
        </Select>
      </Labelled>
      {people.length > 0 ? (
        <Labelled label={t('actor')}>
          <Select aria-label={t('actor')} value={filters.actor ?? ''} onChange={(event) => choose({ actor: event.target.value || null })}>
            <option value="">{t('anyone')}</option>
            {people.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </Select>
        </Labelled>
      ) : null}
      <Labelled label={t('via')}>
        <Select
          aria-label={t('via')}
          value={filters.via ?? ''}
          onChange={(event) => choose({ via: VIAS.find((via) => via === event.target.value) ?? null })}
        >
          <option value="">{t('any')}</option>
          {VIAS.map((via) => (
            <option key={via} value={via}>
              {vias(via)}
            </option>
          ))}
        </Select>
      </Labelled>
      <Labelled label={t('from')}>
        <Input
          type="date"
          aria-label={t('from')}
          value={filters.from ?? ''}
          onChange={(event) => choose({ from: event.target.value || null })}
        />
      </Labelled>
      <Labelled label={t('to')}>
        <Input type="date" aria-label={t('to')} value={filters.to ?? ''} onChange={(event) => choose({ to: event.target.value || null })} />
      </Labelled>
      {isNarrowed(filters) ? (
        <Button
          look="quiet"
          onClick={() => choose({ kind: null, type: null, actor: null, target: null, run: null, via: null, from: null, to: null })}
        >
          {t('clear')}
        </Button>
      ) : null}
    </div>
  );
}

function Labelled({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex min-w-32 flex-col gap-1 max-sm:flex-1">
      <span aria-hidden className="text-meta text-muted-foreground">
        {label}
      </span>
      {children}
    </div>
  );
}
