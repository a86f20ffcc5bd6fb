'use client';

import { useTranslations } from 'next-intl';
import { joinClasses } from '#components/ui/join-classes.ts';
import { StateGlyph, type Tone } from '#components/ui/state-glyph.tsx';
import { TimeAgo } from '#components/ui/time.tsx';
import { useClock } from '#components/ui/use-clock.ts';
import type { ProviderTestView } from '#lib/models/contract.ts';

const PARTS = ['reach', 'authenticate', 'call'] as const;

interface TestReportProps {
  test: ProviderTestView | null;
  /** When the test that goes on was begun (epoch ms); null when none does. */
  runningSince: number | null;
}

/** The three parts of a provider's test: what was found of each, in the provider's own words. */
export function TestReport({ test, runningSince }: TestReportProps) {
  const t = useTranslations('models.test');
  const isRunning = runningSince !== null;
  const now = useClock(isRunning);
  const seconds = isRunning && now !== null ? Math.max(0, Math.round((now - runningSince) / 1000)) : 0;
  const passed = test?.call?.ok === true;
  return (
    <div className="border-t border-border pt-2">
      <p className="flex flex-wrap items-center gap-x-2 text-meta text-muted-foreground" role="status">
        {isRunning ? (
          <>
            <StateGlyph tone="active" />
            {/* Counted for the eye; a screen reader would be told each second. */}
            <span aria-hidden>{t('running', { seconds })}</span>
            <span className="sr-only">{t('running', { seconds: 0 })}</span>
          </>
        ) : test ? (
          <>
            <StateGlyph tone={passed ? 'ok' : 'error'} />
            <span className={passed ? 'text-ok' : 'text-destructive'}>{passed ? t('passed') : t('failed')}</span>
            <span>
              {t('last')} <TimeAgo at={test.at} />
            </span>
          </>
        ) : (
          t('never')
        )}
      </p>
      {isRunning || test ? (
        <ol className="mt-1">
          {PARTS.map((part) => {
            const found = isRunning ? null : (test?.[part] ?? null);
            const tone: Tone = isRunning ? 'queued' : found === null ? 'idle' : found.ok ? 'ok' : 'error';
            return (
              <li
                key={part}
                className="grid grid-cols-[0.75rem_7rem_minmax(0,1fr)_auto] items-baseline gap-x-2 py-0.5 text-ui max-sm:grid-cols-[0.75rem_minmax(0,1fr)_auto]"
              >
                <StateGlyph tone={tone} className="mt-1 self-start" />
                <span className="font-medium">{t(`parts.${part}`)}</span>
                <span
                  className={joinClasses(
                    'break-words max-sm:order-last max-sm:col-span-2 max-sm:col-start-2',
                    found?.ok === false ? 'text-destructive' : 'text-muted-foreground',
                  )}
                >
                  {isRunning ? t('pending') : found === null ? t('notTried') : found.detail}
                </span>
                <span className="text-end text-meta text-muted-foreground tabular">{found ? t('ms', { ms: found.ms }) : ''}</span>
              </li>
            );
          })}
        </ol>
      ) : null}
      {test && !isRunning ? (
        <p className="mt-1 text-meta text-muted-foreground">
          {t('called')} <code className="font-mono break-all">{test.url}</code>
        </p>
      ) : null}
    </div>
  );
}
