'use client';

import { SearchIcon, SlidersHorizontalIcon, XIcon } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useQueryStates } from 'nuqs';
import { type ReactNode, useEffect, useState, useTransition } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Input, Select } from '#components/ui/input.tsx';
import { joinClasses } from '#components/ui/join-classes.ts';
import { StateGlyph } from '#components/ui/state-glyph.tsx';
import { type RunState, runState } from '#lib/supervisor/contract.ts';
import { isFiltered, runFilterParsers } from './run-filters.ts';
import { runTone } from './run-tones.ts';

export interface FilterChoice {
  value: string;
  label: string;
}

interface RunsFiltersProps {
  presets: readonly FilterChoice[];
  capabilities: readonly FilterChoice[];
  /** People to choose from; empty where the reader sees their own runs only. */
  actors: readonly FilterChoice[];
}

const TYPING_PAUSE_MS = 300;

/** Narrows the list of runs. All of it is in the address: typing replaces the entry in the history, a choice adds one. */
export function RunsFilters({ presets, capabilities, actors }: RunsFiltersProps) {
  const t = useTranslations('runs.filters');
  const states = useTranslations('states.run');
  const [isPending, startTransition] = useTransition();
  const [filters, setFilters] = useQueryStates(runFilterParsers, { shallow: false, scroll: false, startTransition });
  const [isOpen, setIsOpen] = useState(() => [filters.preset, filters.capability, filters.actor, filters.from, filters.to].some(Boolean));
  /** What is being typed, until the address has it. */
  const [typed, setTyped] = useState<string | null>(null);
  const text = typed ?? filters.q ?? '';
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

  const choose = (change: Partial<typeof filters>) => void setFilters({ ...change, cursor: null }, { history: 'push' });
  const toggle = (state: RunState) => {
    const chosen = filters.state ?? [];
    const next = chosen.includes(state) ? chosen.filter((other) => other !== state) : [...chosen, state];
    choose({ state: next.length > 0 ? next : null });
  };
  const clear = () => choose({ state: null, q: null, preset: null, capability: null, actor: null, from: null, to: null });
  return (
    <div role="search" aria-label={t('label')} aria-busy={isPending} className="shrink-0 border-b border-border px-4 py-2">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <div className="relative min-w-48 flex-1 lg:max-w-72">
          <SearchIcon
            aria-hidden
            className="pointer-events-none absolute start-2.5 top-1/2 size-3.5 -translate-y-1/2 text-muted-foreground"
          />
          <Input
            type="search"
            value={text}
            onChange={(event) => setTyped(event.target.value)}
            onCompositionStart={() => setIsComposing(true)}
            onCompositionEnd={() => setIsComposing(false)}
            aria-label={t('text')}
            placeholder={t('text')}
            className="ps-8"
          />
        </div>
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
            choices={presets}
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
              choices={actors}
              anyLabel={t('anyone')}
              onChoose={(actor) => choose({ actor })}
            />
          ) : null}
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
