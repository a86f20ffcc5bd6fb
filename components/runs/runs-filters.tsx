'use client';

import { SlidersHorizontalIcon, XIcon } from 'lucide-react';
import { useFormatter, useTranslations } from 'next-intl';
import { useQueryStates } from 'nuqs';
import { type ReactNode, useCallback, useState, useTransition } from 'react';
import { useMe } from '#components/shell/me-scope.tsx';
import { Button } from '#components/ui/button.tsx';
import { Input, Select } from '#components/ui/input.tsx';
import { joinClasses } from '#components/ui/join-classes.ts';
import { SearchField, useTypedText } from '#components/ui/search-field.tsx';
import { StateGlyph } from '#components/ui/state-glyph.tsx';
import { type RunFacets, type RunState, runState } from '#lib/supervisor/contract.ts';
import { isFiltered, RUN_PATHS, runFilterParsers } from './run-filters.ts';
import { runTone } from './run-tones.ts';
import { useRunFacets } from './use-run-facets.ts';

export interface FilterChoice {
  value: string;
  label: string;
}

interface RunsFiltersProps {
  presets: readonly FilterChoice[];
  capabilities: readonly FilterChoice[];
  /** People to choose from; empty where the reader sees their own runs only. */
  actors: readonly FilterChoice[];
  /** The API's query for these filters. */
  query: string;
}

/** The others are behind a button. */
const ALWAYS_SHOWN: ReadonlySet<string> = new Set(['q', 'state', 'cursor']);
const NOTHING = {
  state: null,
  q: null,
  preset: null,
  capability: null,
  actor: null,
  path: null,
  minTook: null,
  maxTook: null,
  minCost: null,
  maxCost: null,
  from: null,
  to: null,
};

/** Narrows the list of runs. All of it is in the address: typing replaces the entry in the history, a choice adds one. */
export function RunsFilters({ presets, capabilities, actors, query }: RunsFiltersProps) {
  const { tenant } = useMe();
  const facets = useRunFacets(tenant.slug, query);
  const format = useFormatter();
  const paths = useTranslations('runs.detail.paths');
  const countText = (count: number) => (facets?.isApproximate ? t('atLeast', { count }) : format.number(count));
  const countOf = (dimension: 'state' | 'preset' | 'path' | 'actor', value: string) =>
    facets && countText((facets[dimension] as RunFacets['state']).find((choice) => choice.value === value)?.count ?? 0);
  const t = useTranslations('runs.filters');
  const states = useTranslations('states.run');
  const [isPending, startTransition] = useTransition();
  const [filters, setFilters] = useQueryStates(runFilterParsers, { shallow: false, scroll: false, startTransition });
  const [isOpen, setIsOpen] = useState(() => Object.entries(filters).some(([name, value]) => !ALWAYS_SHOWN.has(name) && value !== null));
  const applyText = useCallback((q: string | null) => setFilters({ q, cursor: null }, { history: 'replace' }), [setFilters]);
  const typing = useTypedText(filters.q, applyText);

  const choose = (change: Partial<typeof filters>) => void setFilters({ ...change, cursor: null }, { history: 'push' });
  const toggle = (state: RunState) => {
    const chosen = filters.state ?? [];
    const next = chosen.includes(state) ? chosen.filter((other) => other !== state) : [...chosen, state];
    choose({ state: next.length > 0 ? next : null });
  };
  const clear = () => choose(NOTHING);
  return (
    <div role="search" aria-label={t('label')} aria-busy={isPending} className="shrink-0 border-b border-border px-4 py-2">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <SearchField typing={typing} label={t('text')} className="min-w-48 lg:max-w-72" />
        <Button aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)} className="lg:order-last lg:ms-auto">
          <SlidersHorizontalIcon aria-hidden />
          {t('more')}
        </Button>
        <div
          role="group"
          aria-label={t('state')}
          className="flex gap-1 max-lg:basis-full max-md:-mx-4 max-md:basis-[calc(100%+2rem)] max-md:overflow-x-auto max-md:px-4 md:flex-wrap"
        >
          {runState.options.map((state) => {
            const isChosen = filters.state?.includes(state) ?? false;
            return (
              <button
                key={state}
                type="button"
                aria-pressed={isChosen}
                onClick={() => toggle(state)}
                className={joinClasses(
                  'touchable flex h-8 shrink-0 items-center gap-1.5 rounded-control border px-2 text-meta',
                  isChosen
                    ? 'border-primary bg-primary/8 font-medium text-foreground'
                    : 'border-border text-muted-foreground hover:text-foreground',
                )}
              >
                <StateGlyph tone={runTone(state)} />
                {states(state)}
                {facets ? <span className="text-muted-foreground tabular">{countOf('state', state)}</span> : null}
              </button>
            );
          })}
        </div>
      </div>
      {isOpen ? (
        <div className="mt-2 grid animate-appear gap-2 border-t border-border pt-2 sm:grid-cols-2 lg:grid-cols-5">
          <Choice
            label={t('preset')}
            value={filters.preset}
            choices={counted(presets, 'preset', countOf)}
            anyLabel={t('any')}
            onChoose={(preset) => choose({ preset })}
          />
          <Choice
            label={t('capability')}
            value={filters.capability}
            choices={capabilities}
            anyLabel={t('any')}
            onChoose={(capability) => choose({ capability })}
          />
          {actors.length > 0 ? (
            <Choice
              label={t('actor')}
              value={filters.actor}
              choices={counted(actors, 'actor', countOf)}
              anyLabel={t('anyone')}
              onChoose={(actor) => choose({ actor })}
            />
          ) : null}
          <Choice
            label={t('path')}
            value={filters.path}
            choices={counted(
              RUN_PATHS.map((path) => ({ value: path, label: paths(path) })),
              'path',
              countOf,
            )}
            anyLabel={t('any')}
            onChoose={(value) => choose({ path: RUN_PATHS.find((path) => path === value) ?? null })}
          />
          <Amount label={t('minTook')} value={filters.minTook} onChoose={(minTook) => choose({ minTook })} />
          <Amount label={t('maxTook')} value={filters.maxTook} onChoose={(maxTook) => choose({ maxTook })} />
          <Amount label={t('minCost')} value={filters.minCost} onChoose={(minCost) => choose({ minCost })} />
          <Amount label={t('maxCost')} value={filters.maxCost} onChoose={(maxCost) => choose({ maxCost })} />
          <Labelled label={t('from')}>
            <Input
              type="date"
              value={filters.from ?? ''}
              max={filters.to ?? undefined}
              onChange={(event) => choose({ from: event.target.value || null })}
              aria-label={t('from')}
            />
          </Labelled>
          <Labelled label={t('to')}>
            <Input
              type="date"
              value={filters.to ?? ''}
              min={filters.from ?? undefined}
              onChange={(event) => choose({ to: event.target.value || null })}
              aria-label={t('to')}
            />
          </Labelled>
        </div>
      ) : null}
      {facets && isFiltered(filters) ? (
        <p role="status" className="mt-2 text-meta text-muted-foreground tabular">
          {facets.isApproximate ? t('foundAtLeast', { count: facets.total }) : t('found', { count: facets.total })}
        </p>
      ) : null}
      {isFiltered(filters) ? (
        <ul aria-label={t('active')} className="mt-2 flex flex-wrap items-center gap-1">
          {filters.q ? <Chip name={t('text')} value={filters.q} onRemove={() => choose({ q: null })} /> : null}
          {filters.state?.map((state) => (
            <Chip key={state} name={t('state')} value={states(state)} onRemove={() => toggle(state)} />
          ))}
          {filters.preset ? (
            <Chip name={t('preset')} value={labelOf(presets, filters.preset)} onRemove={() => choose({ preset: null })} />
          ) : null}
          {filters.capability ? (
            <Chip name={t('capability')} value={labelOf(capabilities, filters.capability)} onRemove={() => choose({ capability: null })} />
          ) : null}
          {filters.actor ? (
            <Chip name={t('actor')} value={labelOf(actors, filters.actor)} onRemove={() => choose({ actor: null })} />
          ) : null}
          {filters.path ? <Chip name={t('path')} value={paths(filters.path)} onRemove={() => choose({ path: null })} /> : null}
          {(['minTook', 'maxTook', 'minCost', 'maxCost'] as const).map((name) =>
            filters[name] === null ? null : (
              <Chip
                key={name}
                name={t(name)}
                value={format.number(filters[name], { maximumFractionDigits: 6 })}
                onRemove={() => choose({ [name]: null })}
              />
            ),
          )}
          {filters.from ? <Chip name={t('from')} value={filters.from} onRemove={() => choose({ from: null })} /> : null}
          {filters.to ? <Chip name={t('to')} value={filters.to} onRemove={() => choose({ to: null })} /> : null}
          <li>
            <Button look="quiet" size="small" onClick={clear}>
              {t('clear')}
            </Button>
          </li>
        </ul>
      ) : null}
    </div>
  );
}

function labelOf(choices: readonly FilterChoice[], value: string): string {
  return choices.find((choice) => choice.value === value)?.label ?? value;
}

interface ChoiceProps {
  label: string;
  value: string | null;
  choices: readonly FilterChoice[];
  anyLabel: string;
  onChoose: (value: string | null) => void;
}

function Choice({ label, value, choices, anyLabel, onChoose }: ChoiceProps) {
  const isUnknown = value !== null && !choices.some((choice) => choice.value === value);
  return (
    <Labelled label={label}>
      <Select value={value ?? ''} onChange={(event) => onChoose(event.target.value || null)} aria-label={label}>
        <option value="">{anyLabel}</option>
        {isUnknown ? <option value={value}>{value}</option> : null}
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.label}
          </option>
        ))}
      </Select>
    </Labelled>
  );
}

type CountOf = (dimension: 'preset' | 'path' | 'actor', value: string) => string | null;

/** Choices with how many runs each would leave, where that is known. */
function counted(choices: readonly FilterChoice[], dimension: 'preset' | 'path' | 'actor', countOf: CountOf): FilterChoice[] {
  return choices.map(({ value, label }) => {
    const count = countOf(dimension, value);
    return { value, label: count === null ? label : `${label} · ${count}` };
  });
}

/** An amount that applies when it is left or Enter is pressed, not while it is typed. */
function Amount({ label, value, onChoose }: { label: string; value: number | null; onChoose: (value: number | null) => void }) {
  const apply = (text: string) => {
    const amount = text.trim() === '' ? null : Number(text);
    if (amount !== value && (amount === null || (Number.isFinite(amount) && amount >= 0))) onChoose(amount);
  };
  return (
    <Labelled label={label}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const amount = new FormData(event.currentTarget).get('amount');
          apply(typeof amount === 'string' ? amount : '');
        }}
      >
        <Input
          key={value ?? 'none'}
          name="amount"
          type="number"
          min={0}
          step="any"
          inputMode="decimal"
          defaultValue={value ?? ''}
          aria-label={label}
          onBlur={(event) => apply(event.target.value)}
        />
      </form>
    </Labelled>
  );
}

function Labelled({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <span aria-hidden className="text-meta text-muted-foreground">
        {label}
      </span>
      {children}
    </div>
  );
}

function Chip({ name, value, onRemove }: { name: string; value: string; onRemove: () => void }) {
  const t = useTranslations('runs.filters');
  return (
    <li className="flex h-7 max-w-72 items-center rounded-control border border-border bg-sunken ps-2 text-meta">
      <span className="text-muted-foreground">{name}</span>
      <span className="ms-1.5 truncate font-medium">{value}</span>
      <button
        type="button"
        onClick={onRemove}
        aria-label={t('remove', { name, value })}
        className="touchable flex size-7 items-center justify-center text-muted-foreground hover:text-foreground"
      >
        <XIcon aria-hidden className="size-3" />
      </button>
    </li>
  );
}
