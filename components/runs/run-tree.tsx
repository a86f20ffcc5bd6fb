'use client';

import { useVirtualizer } from '@tanstack/react-virtual';
import { ChevronRightIcon } from 'lucide-react';
import { useFormatter, useTranslations } from 'next-intl';
import { useMemo, useRef, useState } from 'react';
import { useCapabilityTitle } from '#components/capabilities/capability-titles.tsx';
import { useKeys } from '#components/keyboard/use-keys.ts';
import { useDurationText } from '#components/ui/duration.tsx';
import { joinClasses } from '#components/ui/join-classes.ts';
import { StateGlyph } from '#components/ui/state-glyph.tsx';
import { focusRow } from './focus-row.ts';
import { useCostText } from './model-call-row.tsx';
import { useSpanLabel } from './span-label.tsx';
import { openRows, type TreeRow } from './span-tree.ts';

const ROW_PX = 36;
const INDENT_PX = 18;
const COLUMNS = 'grid grid-cols-[minmax(0,1fr)_6rem_6rem_7rem] items-center gap-x-3 max-sm:grid-cols-[minmax(0,1fr)_5rem]';

interface RunTreeProps {
  rows: readonly TreeRow[];
  selected: string | null;
  onSelect: (id: string | null) => void;
}

/** What hung from what: agents, model calls and the calls they asked for. ← and → close and open, ↑ and ↓ go from row to row. */
export function RunTree({ rows, selected, onSelect }: RunTreeProps) {
  const t = useTranslations('runs.tree');
  const labelOf = useSpanLabel();
  const titleOf = useCapabilityTitle();
  const durationText = useDurationText();
  const costText = useCostText();
  const format = useFormatter();
  const toneWords = useTranslations('runs.timeline.tones');
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const shown = useMemo(() => openRows(rows, closed), [rows, closed]);
  const [focused, setFocused] = useState<string | null>(null);
  const scroller = useRef<HTMLDivElement>(null);
  // oxlint-disable-next-line react/incompatible-library -- nothing made from it is memoised or handed on
  const virtual = useVirtualizer({
    count: shown.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 12,
    initialRect: { width: 800, height: 640 },
  });
  const stop = shown.some(({ id }) => id === focused) ? focused : (shown.find(({ id }) => id === selected)?.id ?? shown[0]?.id ?? null);

  const setOpen = (id: string, isOpen: boolean) =>
    setClosed((before) => {
      const after = new Set(before);
      if (isOpen) after.delete(id);
      else after.add(id);
      return after;
    });
  const go = (index: number) => {
    const row = shown[index];
    if (!row) return;
    virtual.scrollToIndex(index);
    setFocused(row.id);
    focusRow(scroller.current, `[data-row="${CSS.escape(row.id)}"]`);
  };
  const rowOf = (event: KeyboardEvent) =>
    event.target instanceof HTMLElement ? shown.findIndex(({ id }) => id === (event.target as HTMLElement).dataset['row']) : -1;
  const move = (event: KeyboardEvent, by: 1 | -1) => {
    const at = rowOf(event);
    if (at >= 0) go(at + by);
    return at >= 0;
  };
  useKeys({
    nextRow: (event) => move(event, 1),
    previousRow: (event) => move(event, -1),
    openRow(event) {
      const at = rowOf(event);
      const row = shown[at];
      if (!row) return false;
      if (row.childCount > 0 && closed.has(row.id)) setOpen(row.id, true);
      else if (row.childCount > 0) go(at + 1);
      return true;
    },
    closeRow(event) {
      const row = shown[rowOf(event)];
      if (!row) return false;
      if (row.childCount > 0 && !closed.has(row.id)) setOpen(row.id, false);
      else go(shown.findIndex(({ id }) => id === row.parentId));
      return true;
    },
  });
  const select = (row: TreeRow) => onSelect(row.span === null || row.id === selected ? null : row.id);
  const nameOf = (row: TreeRow) => {
    if (row.id === 'run') return t('run');
    return row.span ? labelOf(row.span) : (titleOf(row.name) ?? row.name);
  };
  return (
    <div data-scrolls role="treegrid" aria-label={t('label')} aria-rowcount={shown.length + 1} className="flex min-h-0 flex-1 flex-col">
      <div
        role="row"
        aria-rowindex={1}
        className={joinClasses(COLUMNS, 'h-8 shrink-0 border-b border-border px-4 text-meta text-muted-foreground')}
      >
        <span role="columnheader">{t('name')}</span>
        <span role="columnheader" className="text-end">
          {t('duration')}
        </span>
        <span role="columnheader" className="text-end max-sm:hidden">
          {t('tokens')}
        </span>
        <span role="columnheader" className="text-end max-sm:hidden">
          {t('cost')}
        </span>
      </div>
      <div ref={scroller} role="presentation" className="min-h-40 flex-1 overflow-auto">
        <div role="rowgroup" className="relative" style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map((item) => {
            const row = shown[item.index];
            if (!row) return null;
            const isOpen = !closed.has(row.id);
            return (
              <div
                key={row.id}
                role="row"
                aria-level={row.level}
                aria-rowindex={item.index + 2}
                aria-selected={row.id === selected}
                aria-expanded={row.childCount > 0 ? isOpen : undefined}
                className={joinClasses(
                  COLUMNS,
                  'absolute inset-x-0 cursor-default border-b border-border px-4 text-ui hover:bg-foreground/4',
                  row.id === selected && 'bg-primary/8 hover:bg-primary/10',
                )}
                style={{ top: item.start, height: item.size }}
              >
                <span
                  role="gridcell"
                  className="flex h-full min-w-0 items-center gap-2"
                  style={{ paddingInlineStart: (row.level - 1) * INDENT_PX }}
                >
                  {row.childCount > 0 ? (
                    <button
                      type="button"
                      tabIndex={-1}
                      aria-label={t(isOpen ? 'close' : 'open', { name: nameOf(row) })}
                      onClick={(event) => {
                        event.stopPropagation();
                        setOpen(row.id, !isOpen);
                      }}
                      className="flex size-6 shrink-0 items-center justify-center text-muted-foreground hover:text-foreground"
                    >
                      <ChevronRightIcon
                        aria-hidden
                        className={joinClasses('size-3.5 transition-transform duration-[120ms]', isOpen && 'rotate-90')}
                      />
                    </button>
                  ) : (
                    <span aria-hidden className="w-6 shrink-0" />
                  )}
                  <button
                    type="button"
                    data-row={row.id}
                    tabIndex={row.id === stop ? 0 : -1}
                    onFocus={() => setFocused(row.id)}
                    onClick={() => select(row)}
                    className="flex h-full min-w-0 flex-1 items-center gap-2 text-start outline-offset-[-2px]"
                  >
                    <StateGlyph tone={row.tone} />
                    <span className={joinClasses('truncate', row.span === null && 'font-medium')}>{nameOf(row)}</span>
                    <span className="sr-only">{`, ${toneWords(row.tone)}`}</span>
                  </button>
                  {row.childCount > 0 && row.failures > 0 ? (
                    <span className="shrink-0 text-meta text-destructive tabular">{t('failures', { count: row.failures })}</span>
                  ) : null}
                </span>
                <span role="gridcell" className="text-end text-muted-foreground tabular">
                  {durationText(row.durationMs)}
                </span>
                <span role="gridcell" className="text-end text-muted-foreground tabular max-sm:hidden">
                  {row.tokens > 0 ? format.number(row.tokens) : '–'}
                </span>
                <span role="gridcell" className="text-end text-muted-foreground tabular max-sm:hidden">
                  {row.cost ? costText(row.cost) : row.tokens > 0 ? t('noPrice') : '–'}
                </span>
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
}
