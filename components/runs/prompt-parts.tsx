'use client';

import { useFormatter, useTranslations } from 'next-intl';
import { joinClasses } from '#components/ui/join-classes.ts';
import { Badge } from '#components/ui/state-chip.tsx';
import type { PromptPart } from './model-activity.ts';

/** The prompt as it was sent, by who contributed what to it, with sizes. What was overridden stays to be read, marked. */
export function PromptParts({ parts }: { parts: readonly PromptPart[] }) {
  const t = useTranslations('runs.model.prompt');
  const format = useFormatter();
  return (
    <ol className="border-t border-border">
      {parts.map((part) => (
        <li key={part.contributor} className="border-b border-border py-2">
          <p className="flex items-center gap-3 text-ui">
            <span className="min-w-0 flex-1 truncate font-medium">{part.contributor}</span>
            <svg viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true" className="h-1 w-20 shrink-0 bg-border">
              <rect width={Math.round(part.share * 100)} height="4" fill="var(--primary)" />
            </svg>
            <span className="w-44 shrink-0 text-end text-meta text-muted-foreground tabular">
              {t('size', { characters: part.characters })} · {format.number(part.share, { style: 'percent' })}
            </span>
          </p>
          <ul>
            {part.fragments.map((fragment, index) => (
              <li key={index}>
                <details>
                  <summary className="cursor-pointer py-1 pointer-coarse:py-3.5 text-meta text-muted-foreground hover:text-foreground">
                    <code className={joinClasses('font-mono break-all', fragment.isOverridden && 'line-through')}>
                      {`${fragment.namespace}.${fragment.key}`}
                    </code>{' '}
                    <span className="tabular">{t('size', { characters: fragment.characters })}</span>{' '}
                    {fragment.isOverridden ? <Badge>{t('overridden')}</Badge> : fragment.isSent ? null : <Badge>{t('empty')}</Badge>}
                  </summary>
                  <pre
                    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
                    tabIndex={0}
                    className="mt-1 max-h-80 overflow-auto rounded-card border border-border bg-sunken p-3 font-mono text-meta leading-5 break-words whitespace-pre-wrap"
                  >
                    {fragment.value || t('nothing')}
                  </pre>
                </details>
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ol>
  );
}
