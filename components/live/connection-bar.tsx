'use client';

import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { type ReactNode, useSyncExternalStore } from 'react';
import { Button } from '#components/ui/button.tsx';
import { StateGlyph } from '#components/ui/state-glyph.tsx';
import { useClock } from '#components/ui/use-clock.ts';
import { useConnection } from './live-scope.tsx';

/** A connection lost for less than this is not worth a line. */
const WORTH_SAYING_MS = 1500;

/** Says when what is on the page may be out of date, and since when. Shows nothing while all is well. */
export function ConnectionBar({ signInPath }: { signInPath: string }) {
  const t = useTranslations('shell.live');
  const { status, retryNow } = useConnection();
  const isOnline = useOnline();
  const now = useClock(status.state === 'lost');
  const lostForMs = status.state === 'lost' && now !== null ? now - status.since : 0;
  if (!isOnline) return <Bar text={t('offline')} />;
  if (status.state === 'refused') {
    return (
      <Bar text={t('refused')}>
        <Link href={signInPath} className="font-medium underline underline-offset-2">
          {t('signIn')}
        </Link>
      </Bar>
    );
  }
  if (status.state !== 'lost' || lostForMs < WORTH_SAYING_MS) return null;
  return (
    <Bar text={t('lost', { seconds: Math.round(lostForMs / 1000) })}>
      <Button look="quiet" size="small" onClick={retryNow}>
        {t('retry')}
      </Button>
    </Bar>
  );
}

function Bar({ text, children }: { text: string; children?: ReactNode }) {
  return (
    <div className="flex min-h-8 shrink-0 flex-wrap items-center gap-x-3 border-b border-border bg-sunken px-4 text-meta text-warn">
      <StateGlyph tone="warn" />
      <span className="tabular">{text}</span>
      {children}
    </div>
  );
}

function useOnline(): boolean {
  return useSyncExternalStore(
    (listener) => {
      window.addEventListener('online', listener);
      window.addEventListener('offline', listener);
      return () => {
        window.removeEventListener('online', listener);
        window.removeEventListener('offline', listener);
      };
    },
    () => navigator.onLine,
    () => true,
  );
}
