'use client';

import { useTranslations } from 'next-intl';
import { useQueryStates } from 'nuqs';
import { type ReactNode, useTransition } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Choice } from '#components/ui/choice.tsx';
import { Input } from '#components/ui/input.tsx';
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
        <Choice
          label={t('kind')}
          value={filters.kind}
          any={t('any')}
          options={auditKind.options.map((kind) => [kind, kinds(kind)])}
          onChoose={(value) => choose({ kind: auditKind.options.find((kind) => kind === value) ?? null, type: null })}
          className="w-full"
        />
      </Labelled>
      {people.length > 0 ? (
        <Labelled label={t('actor')}>
          <Choice
            label={t('actor')}
            value={filters.actor}
            any={t('anyone')}
            options={people.map(({ value, label }) => [value, label])}
            onChoose={(actor) => choose({ actor })}
            className="w-full"
          />
        </Labelled>
      ) : null}
      <Labelled label={t('via')}>
        <Choice
          label={t('via')}
          value={filters.via}
          any={t('any')}
          options={VIAS.map((via) => [via, vias(via)])}
          onChoose={(value) => choose({ via: VIAS.find((via) => via === value) ?? null })}
          className="w-full"
        />
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
