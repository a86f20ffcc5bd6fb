'use client';

import { useTranslations } from 'next-intl';
import { useDurationText } from '#components/ui/duration.tsx';
import type { TimeSplit } from './time-split.ts';

const PARTS = [
  { key: 'model', ms: (split: TimeSplit) => split.modelMs, fill: 'bg-primary' },
  { key: 'tool', ms: (split: TimeSplit) => split.toolMs, fill: 'bg-ok' },
  { key: 'human', ms: (split: TimeSplit) => split.humanMs, fill: 'text-waiting bg-waiting/20 hatched' },
  { key: 'idle', ms: (split: TimeSplit) => split.idleMs, fill: 'bg-border' },
] as const;

/** What a run's time went to: a line of four parts, and each in words. */
export function TimeSplitBar({ split }: { split: TimeSplit }) {
  const t = useTranslations('runs.split');
  const durationText = useDurationText();
  const totalMs = Math.max(1, split.humanMs + split.idleMs + split.modelMs + split.toolMs);
  return (
    <div className="min-w-48">
      <div aria-hidden className="mt-1 flex h-1 w-full overflow-hidden bg-border">
        {PARTS.map(({ key, ms, fill }) => (
          <span key={key} className={fill} style={{ width: `${((ms(split) / totalMs) * 100).toFixed(2)}%` }} />
        ))}
      </div>
      <p className="mt-1 flex flex-wrap gap-x-3 text-meta text-muted-foreground tabular">
        {PARTS.filter(({ ms }) => ms(split) >= 1).map(({ key, ms, fill }) => (
          <span key={key} className="flex items-center gap-1">
            <span aria-hidden className={`size-2 shrink-0 ${fill}`} />
            {t(key, { duration: durationText(ms(split)) })}
          </span>
        ))}
      </p>
    </div>
  );
}
