'use client';

import { useVirtualizer } from '@tanstack/react-virtual';
import { useTranslations } from 'next-intl';
import { useDeferredValue, useMemo, useRef, useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { EmptyState } from '#components/ui/empty-state.tsx';
import { Input } from '#components/ui/input.tsx';
import { joinClasses } from '#components/ui/join-classes.ts';
import { Time } from '#components/ui/time.tsx';
import type { RunEventView } from '#lib/supervisor/contract.ts';
import type { RunLog } from './use-run-log.ts';

const ROW_PX = 32;
const SHOWN_CHARACTERS = 240;

interface RunEventsProps {
  log: RunLog;
  selected: string | null;
  onSelect: (id: string | null) => void;
  onMore: () => void;
  isLoading: boolean;
}

/** The id under which an event can be selected. */
export function eventSpanId(event: Pick<RunEventView, 'seq'>): string {
  return `event-${event.seq}`;
}

/** A run's log in its exact order. Only the rows in view are on the page, so ten thousand are as quick as ten. */
export function RunEvents({ log, selected, onSelect, onMore, isLoading }: RunEventsProps) {
  const t = useTranslations('runs.events');
  const [text, setText] = useState('');
  const [hasPieces, setHasPieces] = useState(false);
  const wanted = useDeferredValue(text.trim().toLowerCase());
  const events = useMemo(
    () =>
      log.items.filter(
        (event) =>
          (hasPieces || (event.type !== 'text-delta' && event.type !== 'reasoning-delta')) &&
          (wanted === '' || event.type.toLowerCase().includes(wanted) || JSON.stringify(event.payload).toLowerCase().includes(wanted)),
      ),
    [log.items, hasPieces, wanted],
  );
  const scroller = useRef<HTMLDivElement>(null);
  // oxlint-disable-next-line react/incompatible-library -- nothing made from it is memoised or handed on
  const rows = useVirtualizer({
    count: events.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 12,
    initialRect: { width: 800, height: 640 },
  });
  const read = log.items.at(-1)?.seq ?? 0;
  return (
    <div data-scrolls className="flex min-h-0 flex-1 flex-col">
      <div className="flex shrink-0 flex-wrap items-center gap-3 border-b border-border px-4 py-2">
        <Input
          type="search"
          value={text}
          onChange={(event) => setText(event.target.value)}
          aria-label={t('filter')}
          placeholder={t('filter')}
          className="min-w-40 flex-1 sm:max-w-80"
        />
        <label className="touchable flex items-center gap-1.5 text-meta text-muted-foreground">
          <input type="checkbox" checked={hasPieces} onChange={(event) => setHasPieces(event.target.checked)} className="accent-primary" />
          {t('pieces')}
        </label>
        <span className="text-meta text-muted-foreground tabular" aria-live="polite">
          {t('count', { shown: events.length, total: log.items.length })}
        </span>
      </div>
      {events.length === 0 ? (
        <EmptyState
          title={log.items.length === 0 ? t('empty') : t('nothing')}
          className="px-4"
          {...(log.items.length === 0
            ? {}
            : {
                action: (
                  <Button size="small" onClick={() => setText('')}>
                    {t('clear')}
                  </Button>
                ),
              })}
        />
      ) : (
        <div ref={scroller} className="min-h-40 flex-1 overflow-auto">
          <ol aria-label={t('label')} className="relative" style={{ height: rows.getTotalSize() }}>
            {rows.getVirtualItems().map((item) => {
              const event = events[item.index];
              if (!event) return null;
              const id = eventSpanId(event);
              return (
                <li key={event.seq} className="absolute inset-x-0 border-b border-border" style={{ top: item.start, height: item.size }}>
                  <button
                    type="button"
                    aria-pressed={id === selected}
                    onClick={() => onSelect(id === selected ? null : id)}
                    className={joinClasses(
                      'grid h-full w-full grid-cols-[3.5rem_7rem_13rem_minmax(0,1fr)] items-center gap-x-3 px-4 text-start font-mono text-meta outline-offset-[-2px] hover:bg-foreground/4 max-md:grid-cols-[2.5rem_minmax(0,1fr)_auto]',
                      id === selected && 'bg-primary/8 hover:bg-primary/10',
                    )}
                  >
                    <span className="text-end text-muted-foreground tabular">{event.seq}</span>
                    <span className="text-muted-foreground max-md:order-last">
                      <Time at={event.at} look="precise" />
                    </span>
                    <span className="truncate font-medium">{event.type}</span>
                    <span className="truncate text-muted-foreground max-md:hidden">
                      {JSON.stringify(event.payload).slice(0, SHOWN_CHARACTERS)}
                    </span>
                  </button>
                </li>
              );
            })}
          </ol>
        </div>
      )}
      {read < log.lastSeq ? (
        <div className="shrink-0 border-t border-border px-4 py-2">
          <Button size="small" onClick={onMore} disabled={isLoading}>
            {isLoading ? t('loading') : t('more', { read, total: log.lastSeq })}
          </Button>
        </div>
      ) : null}
    </div>
  );
}
