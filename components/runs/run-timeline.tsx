'use client';

import { useVirtualizer } from '@tanstack/react-virtual';
import { useTranslations } from 'next-intl';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useKeys } from '#components/keyboard/use-keys.ts';
import { useDurationText } from '#components/ui/duration.tsx';
import { joinClasses } from '#components/ui/join-classes.ts';
import { StateGlyph, type Tone } from '#components/ui/state-glyph.tsx';
import { criticalPath } from './critical-path.ts';
import { focusRow } from './focus-row.ts';
import { useSpanLabel } from './span-label.tsx';
import { axisTicks, type SpanSegment, type TimelineSpan, timeScale, waitingGaps } from './timeline-spans.ts';
import { placeIn } from './timeline-window.ts';
import { TimelineZoom } from './timeline-zoom.tsx';
import { useTimelineWindow } from './use-timeline-window.ts';

const TICKS = 4;
const ROW_PX = 37;
/** How far the wheel turns sideways to move by all that is in the picture. */
const WHEEL_PX = 600;
/** Waiting is worth leaving out of the picture when it is more than this part of it. */
const WORTH_LEAVING_OUT = 0.5;

const FILL: { readonly [Key in Tone]: string } = {
  idle: 'bg-border',
  queued: 'bg-input',
  active: 'bg-info animate-breathe',
  waiting: 'text-waiting bg-waiting/20 hatched',
  ok: 'bg-ok',
  error: 'bg-destructive',
  warn: 'text-warn bg-warn/20 hatched',
  stopped: 'bg-muted-foreground',
};

interface RunTimelineProps {
  spans: readonly TimelineSpan[];
  /** From the request to the end, or to now. */
  totalMs: number;
  selected: string | null;
  onSelect: (id: string | null) => void;
}

/** What happened when: a row for each part of a run, to one scale. ↑ and ↓ go from row to row, + and − come closer and go back. */
export function RunTimeline({ spans, totalMs, selected, onSelect }: RunTimelineProps) {
  const t = useTranslations('runs.timeline');
  const durationText = useDurationText();
  const labelOf = useSpanLabel();
  const toneWords = useTranslations('runs.timeline.tones');
  const gaps = useMemo(() => waitingGaps(spans, totalMs), [spans, totalMs]);
  const waitedMs = gaps.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0);
  const [isWaitingHidden, setIsWaitingHidden] = useState(false);
  const scale = timeScale(totalMs, isWaitingHidden ? gaps : []);
  const critical = useMemo(() => criticalPath(spans, totalMs), [spans, totalMs]);
  const scroller = useRef<HTMLDivElement>(null);
  // oxlint-disable-next-line react/incompatible-library -- nothing made from it is memoised or handed on
  const virtual = useVirtualizer({
    count: spans.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 12,
    initialRect: { width: 800, height: 640 },
  });
  useRowKeys(scroller, spans, (index) => virtual.scrollToIndex(index), selected);
  const stretchOf = ({ fromMs, toMs }: Pick<SpanSegment, 'fromMs' | 'toMs'>) => ({ from: scale.at(fromMs), to: scale.at(toMs ?? totalMs) });
  const chosen = spans.find(({ id }) => id === selected);
  const zoom = useTimelineWindow(chosen ? { id: chosen.id, stretch: stretchOf(chosen) } : null, scale.shownMs);
  const percent = (part: number) => `${(placeIn(zoom.window, part) * 100).toFixed(3)}%`;
  const bar = (segment: SpanSegment) => {
    const { from, to } = stretchOf(segment);
    const width = (to - from) / (zoom.window.to - zoom.window.from);
    return { left: percent(from), width: `max(2px, ${(width * 100).toFixed(3)}%)` };
  };
  return (
    <div data-scrolls className="flex min-h-0 min-w-0 flex-1 flex-col">
      <div className="flex shrink-0 flex-wrap items-center justify-between gap-2 px-4 py-2 text-meta text-muted-foreground">
        <span className="flex items-center gap-3 tabular">
          {t('total', { duration: durationText(totalMs) })}
          <span className="flex items-center gap-1.5">
            <span aria-hidden className="h-2 w-4 outline-1 outline-foreground/60" />
            {t('criticalPath')}
          </span>
        </span>
        {waitedMs > totalMs * WORTH_LEAVING_OUT ? (
          <label className="touchable flex min-h-6 items-center gap-1.5">
            <input
              type="checkbox"
              checked={isWaitingHidden}
              onChange={(event) => setIsWaitingHidden(event.target.checked)}
              className="accent-primary"
            />
            {t('hideWaiting', { duration: durationText(waitedMs) })}
          </label>
        ) : null}
        <TimelineZoom zoom={zoom} />
      </div>
      <div aria-hidden className="grid h-6 shrink-0 grid-cols-[13rem_1fr] border-y border-border max-sm:grid-cols-1">
        <span className="max-sm:hidden" />
        <span className="relative me-4 overflow-hidden max-sm:mx-4">
          {axisTicks({ fromMs: zoom.window.from * scale.shownMs, toMs: zoom.window.to * scale.shownMs, count: TICKS }).map((tick) => (
            <span
              key={tick}
              className="absolute top-0 h-full border-s border-border ps-1 text-meta leading-6 whitespace-nowrap text-muted-foreground tabular last:hidden first:last:block"
              style={{ left: percent(tick / scale.shownMs) }}
            >
              {durationText(tick)}
            </span>
          ))}
        </span>
      </div>
      <div
        ref={scroller}
        className="min-h-40 flex-1 overflow-x-hidden overflow-y-auto overscroll-x-contain"
        onWheel={({ deltaX }) => deltaX !== 0 && zoom.moveBy?.(deltaX / WHEEL_PX)}
      >
        <ol aria-label={t('label')} className="relative" style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map((item) => {
            const span = spans[item.index];
            if (!span) return null;
            const lengthMs = (span.toMs ?? totalMs) - span.fromMs;
            const isSelected = span.id === selected;
            return (
              <li
                key={span.id}
                ref={virtual.measureElement}
                data-index={item.index}
                aria-setsize={spans.length}
                aria-posinset={item.index + 1}
                className="absolute inset-x-0 border-b border-border"
                style={{ top: item.start }}
              >
                <button
                  type="button"
                  data-span={span.id}
                  aria-pressed={isSelected}
                  onClick={() => onSelect(isSelected ? null : span.id)}
                  className={joinClasses(
                    'touchable grid min-h-9 w-full grid-cols-[13rem_1fr] items-center text-start outline-offset-[-2px] hover:bg-foreground/4 max-sm:grid-cols-1 max-sm:py-1.5',
                    isSelected && 'bg-primary/8 hover:bg-primary/10',
                  )}
                >
                  <span className="flex min-w-0 items-center gap-2 ps-4 pe-3 text-ui max-sm:pe-4">
                    <StateGlyph tone={span.tone} />
                    <span className="min-w-0 flex-1 truncate">{labelOf(span)}</span>
                    <span className="sr-only">{`, ${toneWords(span.tone)}, `}</span>
                    <span className="text-meta text-muted-foreground tabular">{durationText(lengthMs)}</span>
                    {critical.has(span.id) ? <span className="sr-only">{`, ${t('critical')}`}</span> : null}
                    <span className="sr-only">{`, ${t('starts', { start: durationText(span.fromMs) })}`}</span>
                  </span>
                  <span className="relative me-4 h-9 overflow-hidden max-sm:mx-4 max-sm:h-4">
                    <span className="absolute inset-x-0 top-1/2 border-t border-border/60" />
                    {span.segments.map((segment, index) => (
                      <span
                        key={index}
                        className={joinClasses(
                          'absolute top-1/2 h-2.5 -translate-y-1/2',
                          critical.has(span.id) && 'outline-1 outline-offset-1 outline-foreground/60',
                          FILL[segment.kind === 'person' ? 'waiting' : segment.kind === 'queue' ? 'queued' : segment.tone],
                        )}
                        style={bar(segment)}
                      />
                    ))}
                  </span>
                </button>
              </li>
            );
          })}
        </ol>
      </div>
    </div>
  );
}

/** Arrow keys within the rows; a row that is selected from elsewhere comes into view. */
function useRowKeys(
  scroller: React.RefObject<HTMLElement | null>,
  spans: readonly TimelineSpan[],
  scrollTo: (index: number) => void,
  selected: string | null,
): void {
  const placeOf = (target: EventTarget | null) =>
    target instanceof HTMLElement ? spans.findIndex(({ id }) => id === target.dataset['span']) : -1;
  const step = (event: KeyboardEvent, by: 1 | -1) => {
    const at = placeOf(event.target);
    if (at < 0) return false;
    const next = spans[at + by];
    if (!next) return true;
    scrollTo(at + by);
    focusRow(scroller.current, `[data-span="${CSS.escape(next.id)}"]`);
    return true;
  };
  useKeys({ nextRow: (event) => step(event, 1), previousRow: (event) => step(event, -1) });
  const scroll = useRef(scrollTo);
  useEffect(() => {
    scroll.current = scrollTo;
  });
  useEffect(() => {
    const at = spans.findIndex(({ id }) => id === selected);
    if (at < 0 || scroller.current?.querySelector(`[data-span="${CSS.escape(selected ?? '')}"]`)) return;
    scroll.current(at);
  }, [scroller, spans, selected]);
}
