'use client';

import { XIcon } from 'lucide-react';
import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { Button } from '#components/ui/button.tsx';
import { joinClasses } from '#components/ui/join-classes.ts';
import { StateGlyph } from '#components/ui/state-glyph.tsx';
import { useFirstSteps } from './use-first-steps.ts';

/** What is worth doing in a workspace that is new, for those who may; gone once it is done or sent away. */
export function FirstSteps({ onGo }: { onGo?: () => void }) {
  const t = useTranslations('shell.firstSteps');
  const path = usePathname();
  const { steps, dismiss } = useFirstSteps();
  if (steps.length === 0) return null;
  const done = steps.filter(({ isDone }) => isDone).length;
  return (
    <section aria-label={t('title')} className="mb-2 rounded-card border border-border bg-background p-2">
      <div className="flex items-center gap-2 ps-1.5">
        <h2 className="min-w-0 flex-1 truncate text-meta font-medium">{t('title')}</h2>
        <span className="text-meta text-muted-foreground tabular">{t('progress', { done, count: steps.length })}</span>
        <Button look="quiet" size="squareSmall" aria-label={t('dismiss')} title={t('dismiss')} onClick={dismiss}>
          <XIcon aria-hidden />
        </Button>
      </div>
      <ol>
        {steps.map(({ key, href, isDone }) => (
          <li key={key}>
            <Link
              href={href}
              {...(onGo ? { onClick: onGo } : {})}
              aria-current={path === href ? 'page' : undefined}
              className={joinClasses(
                'touchable flex min-h-8 items-center gap-2 rounded-control px-1.5 text-ui hover:bg-foreground/6',
                isDone && 'text-muted-foreground',
              )}
            >
              <StateGlyph tone={isDone ? 'ok' : 'idle'} />
              <span className={isDone ? 'line-through decoration-border' : ''}>{t(`steps.${key}`)}</span>
              {isDone ? <span className="sr-only">{t('done')}</span> : null}
            </Link>
          </li>
        ))}
      </ol>
    </section>
  );
}
