import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { CopyButton } from './copy-button.tsx';
import { joinClasses } from './join-classes.ts';
import { StateGlyph } from './state-glyph.tsx';

interface ErrorStateProps {
  /** What went wrong, in a sentence. */
  cause: ReactNode;
  /** What to do now. */
  nextStep?: ReactNode;
  /** Names the failure in the server's log. */
  traceId?: string | null | undefined;
  action?: ReactNode;
  /** Interrupts a screen reader; not for a failure that is part of what is read anyway. */
  isAlert?: boolean;
  className?: string;
}

/** A failure, shown where it happened and kept there until it is mended. */
export function ErrorState({ cause, nextStep, traceId, action, isAlert = true, className }: ErrorStateProps) {
  const t = useTranslations('ui');
  return (
    <div {...(isAlert ? { role: 'alert' } : {})} className={joinClasses('flex gap-2.5 border-s-2 border-destructive py-1 ps-3', className)}>
      <StateGlyph tone="error" className="mt-1" />
      <div className="flex min-w-0 flex-col items-start gap-1">
        <p className="text-ui font-medium">{cause}</p>
        {nextStep ? <p className="text-ui text-muted-foreground">{nextStep}</p> : null}
        {traceId ? (
          <p className="flex items-center gap-1 text-meta text-muted-foreground">
            {t('traceId')} <code className="font-mono break-all">{traceId}</code>
            <CopyButton value={traceId} label={t('copyTraceId')} />
          </p>
        ) : null}
        {action ? <div className="mt-1 flex flex-wrap gap-2">{action}</div> : null}
      </div>
    </div>
  );
}
