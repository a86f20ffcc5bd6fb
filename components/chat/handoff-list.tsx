'use client';

import { ArrowRightIcon } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { StateChip } from '#components/ui/state-chip.tsx';
import { Fold } from './fold.tsx';
import { Markdown } from './markdown.tsx';
import type { HandoffPart } from './run-progress.ts';

/** Tasks that one agent gave to another: who to whom, and behind the line the task and what came of it. */
export function HandoffList({ handoffs, isOver }: { handoffs: readonly HandoffPart[]; isOver: boolean }) {
  const t = useTranslations('chat.handoff');
  if (handoffs.length === 0) return null;
  return (
    <ul aria-label={t('label')} className="border-t border-border">
      {handoffs.map(({ path, from, to, task, answer }) => (
        <li key={path} className="border-b border-border">
          <Fold
            label={
              <>
                <span className="flex shrink-0 items-center gap-1.5 font-mono text-meta">
                  <span>{from}</span>
                  <ArrowRightIcon role="img" aria-label={t('to')} className="size-3.5" />
                  <span className="text-foreground">{to}</span>
                </span>
                <span className="min-w-0 flex-1 truncate text-meta">{task}</span>
                {answer === null ? (
                  <StateChip tone={isOver ? 'stopped' : 'active'}>{t(isOver ? 'unanswered' : 'open')}</StateChip>
                ) : (
                  <StateChip tone="ok">{t('answered')}</StateChip>
                )}
              </>
            }
          >
            <dl className="flex flex-col gap-3">
              <div>
                <dt className="mb-1 text-meta text-muted-foreground">{t('task')}</dt>
                <dd className="text-ui whitespace-pre-wrap">{task}</dd>
              </div>
              {answer === null ? null : (
                <div>
                  <dt className="mb-1 text-meta text-muted-foreground">{t('answer')}</dt>
                  <dd>
                    {answer.trim() === '' ? (
                      <span className="text-ui text-muted-foreground">{t('empty')}</span>
                    ) : (
                      <Markdown text={answer} />
                    )}
                  </dd>
                </div>
              )}
            </dl>
          </Fold>
        </li>
      ))}
    </ul>
  );
}
