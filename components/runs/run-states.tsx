'use client';

import { useVirtualizer } from '@tanstack/react-virtual';
import { useTranslations } from 'next-intl';
import { useMemo, useRef } from 'react';
import { useCapabilityTitle } from '#components/capabilities/capability-titles.tsx';
import { useDurationText } from '#components/ui/duration.tsx';
import { EmptyState } from '#components/ui/empty-state.tsx';
import { joinClasses } from '#components/ui/join-classes.ts';
import { Time } from '#components/ui/time.tsx';
import { invocationState, runState } from '#lib/supervisor/contract.ts';
import type { StateLane, StateMove } from './state-moves.ts';

const ROW_PX = 36;
const HEAD_PX = 40;
const COLUMNS =
  'grid grid-cols-[7rem_minmax(12rem,1.2fr)_minmax(0,1.4fr)_5.5rem] items-center gap-x-3 max-sm:grid-cols-[minmax(0,1fr)_5rem]';

interface RunStatesProps {
  lanes: readonly StateLane[];
  selected: string | null;
  onSelect: (id: string | null) => void;
}

type Row = { readonly key: string } & (
  | { readonly lane: StateLane; readonly move: null }
  | { readonly lane: StateLane; readonly move: StateMove }
);

/** Every move of the session, of the run and of each call: when, from what to what, why, and how long it stayed there. */
export function RunStates({ lanes, selected, onSelect }: RunStatesProps) {
  const t = useTranslations('runs.states');
  const words = useStateWord();
  const titleOf = useCapabilityTitle();
  const durationText = useDurationText();
  const rows = useMemo<Row[]>(
    () => lanes.flatMap((lane): Row[] => [{ key: lane.id, lane, move: null }, ...lane.moves.map((move) => ({ key: move.id, lane, move }))]),
    [lanes],
  );
  const scroller = useRef<HTMLElement>(null);
  // oxlint-disable-next-line react/incompatible-library -- nothing made from it is memoised or handed on
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (rows[index]?.move ? ROW_PX : HEAD_PX),
    overscan: 12,
    initialRect: { width: 800, height: 640 },
  });
  if (rows.length === 0) return <EmptyState title={t('empty')} className="px-4" />;
  const nameOf = (lane: StateLane) =>
    lane.kind === 'call' ? (titleOf(lane.capabilityId ?? '') ?? lane.capabilityId ?? lane.id) : t(lane.kind);
  return (
    <div data-scrolls className="flex min-h-0 flex-1 flex-col">
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <section ref={scroller} aria-label={t('label')} tabIndex={0} className="min-h-40 flex-1 overflow-auto -outline-offset-2">
        <div role="table" aria-label={t('label')} aria-rowcount={rows.length + 1}>
          <div
            role="row"
            aria-rowindex={1}
            className={joinClasses(
              COLUMNS,
              'sticky top-0 z-[1] h-8 border-b border-border bg-background px-4 text-meta text-muted-foreground',
            )}
          >
            <span role="columnheader" className="max-sm:hidden">
              {t('at')}
            </span>
            <span role="columnheader">{t('move')}</span>
            <span role="columnheader" className="max-sm:hidden">
              {t('reason')}
            </span>
            <span role="columnheader" className="text-end">
              {t('dwell')}
            </span>
          </div>
          <div role="rowgroup" className="relative" style={{ height: virtual.getTotalSize() }}>
            {virtual.getVirtualItems().map((item) => {
              const row = rows[item.index];
              if (!row) return null;
              const place = { top: item.start, height: item.size };
              if (!row.move) {
                return (
                  <div
                    key={row.key}
                    role="row"
                    aria-rowindex={item.index + 2}
                    className="absolute inset-x-0 flex items-end px-4 pb-1"
                    style={place}
                  >
                    <span role="cell" className="min-w-0 truncate text-ui font-semibold">
                      {row.lane.kind === 'call' ? (
                        <button
                          type="button"
                          aria-pressed={row.lane.id === selected}
                          onClick={() => onSelect(row.lane.id === selected ? null : row.lane.id)}
                          className={joinClasses('min-h-6 truncate text-start hover:underline', row.lane.id === selected && 'text-primary')}
                        >
                          {nameOf(row.lane)}
                        </button>
                      ) : (
                        nameOf(row.lane)
                      )}
                    </span>
                  </div>
                );
              }
              const { from, to, reason, at, attempt, dwellMs } = row.move;
              return (
                <div
                  key={row.key}
                  role="row"
                  aria-rowindex={item.index + 2}
                  className={joinClasses(
                    COLUMNS,
                    'absolute inset-x-0 border-b border-border px-4 text-ui',
                    row.lane.id === selected && 'bg-primary/8',
                  )}
                  style={place}
                >
                  <span role="cell" className="font-mono text-meta text-muted-foreground max-sm:hidden">
                    <Time at={at} look="precise" />
                  </span>
                  <span role="cell" className="min-w-0 truncate">
                    {from === null ? null : <span className="text-muted-foreground">{`${words(row.lane.kind, from)} → `}</span>}
                    <span className="font-medium">{words(row.lane.kind, to)}</span>
                    {attempt !== null && attempt > 1 ? (
                      <span className="text-muted-foreground">{` · ${t('attempt', { attempt })}`}</span>
                    ) : null}
                  </span>
                  <span role="cell" className="min-w-0 truncate text-muted-foreground max-sm:hidden" title={reason}>
                    {reason}
                  </span>
                  <span role="cell" className="text-end text-muted-foreground tabular">
                    {dwellMs === null ? '–' : durationText(dwellMs)}
                  </span>
                </div>
              );
            })}
          </div>
        </div>
      </section>
    </div>
  );
}

/** A state by its name in the interface's language; one that has none keeps its own. */
function useStateWord(): (kind: StateLane['kind'], state: string) => string {
  const run = useTranslations('states.run');
  const call = useTranslations('states.invocation');
  const session = useTranslations('runs.states.sessionStates');
  return (kind, state) => {
    if (kind === 'run') return isOneOf(RUN_STATES, state) ? run(state) : state;
    if (kind === 'call') return isOneOf(CALL_STATES, state) ? call(state) : state;
    return isOneOf(SESSION_STATES, state) ? session(state) : state;
  };
}

const RUN_STATES = runState.options;
const CALL_STATES = invocationState.options;
const SESSION_STATES = ['IDLE', 'PLANNING', 'EXECUTING', 'WAITING_USER', 'COMPLETED', 'FAILED', 'CANCELLED'] as const;

function isOneOf<const Name extends string>(names: readonly Name[], name: string): name is Name {
  return (names as readonly string[]).includes(name);
}
