'use client';

import { useTranslations } from 'next-intl';
import { joinClasses } from '#components/ui/join-classes.ts';
import type { Tone } from '#components/ui/state-glyph.tsx';

/**
 * One look a tone, told apart without colour too: solid when done, broken when failed, hatched while a person or a retry is
 * waited for, an outline when it has not happened.
 */
const SEGMENTS: { readonly [Key in Tone]: string } = {
  idle: 'border-y border-border',
  queued: 'border-y border-input',
  active: 'bg-info animate-breathe',
  waiting: 'text-waiting bg-waiting/25 hatched',
  ok: 'bg-ok',
  error: 'text-destructive [background-image:linear-gradient(90deg,currentColor_calc(50%-3px),transparent_0_calc(50%+3px),currentColor_0)]',
  warn: 'text-warn bg-warn/25 hatched',
  stopped: 'border-y border-muted-foreground',
};

/** The shape of a run at a glance: a 4 px bar with one segment a step. */
export function RunStrip({ tones, className }: { tones: readonly Tone[]; className?: string }) {
  const t = useTranslations('runs.strip');
  const count = (...wanted: Tone[]) => tones.filter((tone) => wanted.includes(tone)).length;
  const label = t('label', {
    steps: tones.length,
    ok: count('ok'),
    failed: count('error', 'warn'),
    open: count('active', 'waiting', 'queued', 'idle', 'stopped'),
  });
  return (
    <span role="img" aria-label={label} className={joinClasses('flex h-1 w-full gap-px forced-colors:forced-color-adjust-none', className)}>
      {tones.map((tone, step) => (
        <span key={step} className={joinClasses('h-full min-w-1 flex-1', SEGMENTS[tone])} />
      ))}
    </span>
  );
}
