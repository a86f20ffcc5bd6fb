'use client';

import { useTranslations } from 'next-intl';
import type { CallProgressPart } from './run-progress.ts';

/** How far a call says that it has come: its own words, and a bar where it has told of how much. */
export default function CallProgressLine({ told }: { told: CallProgressPart }) {
  const t = useTranslations('runs.call');
  const { progress, total, message } = told;
  const isMeasured = total !== null && progress >= 0;
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 pb-1.5 ps-5.5 text-meta text-muted-foreground">
      {isMeasured ? (
        <progress
          value={Math.min(progress, total)}
          max={total}
          aria-label={t('progress')}
          className="h-1 min-w-24 flex-1 accent-primary sm:max-w-60"
        />
      ) : null}
      <span className="tabular">{isMeasured ? t('progressOf', { progress, total }) : t('progressSoFar', { progress })}</span>
      {message ? <span className="min-w-0 break-words">{message}</span> : null}
    </div>
  );
}
