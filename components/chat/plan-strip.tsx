'use client';

import { ChevronRightIcon } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { type ReactNode, useId, useState } from 'react';
import { hasEnded } from '#components/runs/has-ended.ts';
import { RunStateChip } from '#components/runs/run-state-chip.tsx';
import { RunStrip } from '#components/runs/run-strip.tsx';
import { Duration } from '#components/ui/duration.tsx';
import { joinClasses } from '#components/ui/join-classes.ts';
import type { Tone } from '#components/ui/state-glyph.tsx';
import type { RunState } from '#lib/supervisor/contract.ts';

/** A run under way that is younger than this has no age yet. */
const WORTH_SAYING_MS = 1000;

interface PlanStripProps {
  state: RunState;
  tones: readonly Tone[];
  stepCount: number;
  /** What the run is at, or what it did, in a few words. */
  summary: ReactNode;
  elapsedMs: number | null;
  /** Stays in view while the run goes on and its answer is scrolled. */
  isSticky: boolean;
  /** Called when it is first opened, so that what it shows can be fetched then. */
  onOpen?: () => void;
  children: ReactNode;
}

/** A run in one line over its answer: how far it is and what it is at. It opens to the plan. */
export function PlanStrip({ state, tones, stepCount, summary, elapsedMs, isSticky, onOpen, children }: PlanStripProps) {
  const t = useTranslations('runs.plan');
  const [isOpen, setIsOpen] = useState(false);
  const panelId = useId();
  const finished = tones.filter((tone) => tone === 'ok' || tone === 'error').length;
  return (
    <div>
      <div className={joinClasses('bg-background pt-2', isSticky && 'sticky top-0 z-10')}>
        <RunStrip tones={tones} />
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={panelId}
          onClick={() => {
            if (!isOpen) onOpen?.();
            setIsOpen(!isOpen);
          }}
          className="touchable flex min-h-8 w-full items-center gap-2 py-1 text-start text-ui hover:bg-foreground/4"
        >
          <ChevronRightIcon
            aria-hidden
            className={joinClasses('size-3.5 shrink-0 text-muted-foreground transition-transform duration-[120ms]', isOpen && 'rotate-90')}
          />
          {stepCount > 0 ? (
            <span className="shrink-0 font-medium tabular">{t('progress', { done: finished, total: stepCount })}</span>
          ) : null}
          <span className="min-w-0 flex-1 truncate text-muted-foreground">{summary}</span>
          {elapsedMs === null || (!hasEnded(state) && elapsedMs < WORTH_SAYING_MS) ? null : (
            <span className="text-meta text-muted-foreground">
              <Duration milliseconds={elapsedMs} />
            </span>
          )}
          <RunStateChip state={state} />
        </button>
      </div>
      <div id={panelId} hidden={!isOpen} className="animate-appear border-t border-border py-3 ps-5.5">
        {isOpen ? children : null}
      </div>
    </div>
  );
}
