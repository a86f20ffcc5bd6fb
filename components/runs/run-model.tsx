'use client';

import { useFormatter, useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { Button } from '#components/ui/button.tsx';
import { hasModelActivity, type ModelActivity, sumCosts, tokensOf } from './model-activity.ts';
import { ModelCallRow, useCostText } from './model-call-row.tsx';
import { PromptParts } from './prompt-parts.tsx';

interface RunModelProps {
  activity: ModelActivity;
  /** Entries of the log that have not been read yet; the rest may hold more calls. */
  unread: number;
  onMore: () => void;
  isLoading: boolean;
}

/** What a model did in a run: its calls with tokens and cost, tasks handed over, what it thought aloud, and its prompt. */
export function RunModel({ activity, unread, onMore, isLoading }: RunModelProps) {
  const t = useTranslations('runs.model');
  const { calls, handoffs, reasoning, prompts } = activity;
  return (
    <div className="flex max-w-[84ch] flex-col gap-6">
      {unread > 0 ? (
        <p className="flex flex-wrap items-center gap-2 text-ui text-muted-foreground">
          {t('unread', { count: unread })}
          <Button size="small" onClick={onMore} disabled={isLoading}>
            {isLoading ? t('reading') : t('more')}
          </Button>
        </p>
      ) : null}
      {hasModelActivity(activity) ? null : <p className="text-ui text-muted-foreground">{t('none')}</p>}
      {calls.length > 0 ? (
        <Part title={t('calls')} note={<Totals calls={calls} />}>
          <ol className="border-t border-border">
            {calls.map((call) => (
              <ModelCallRow key={call.seq} call={call} />
            ))}
          </ol>
        </Part>
      ) : null}
      {handoffs.length > 0 ? (
        <Part title={t('handoffs')}>
          <ol className="border-t border-border">
            {handoffs.map((handoff) => (
              <li key={handoff.seq} className="border-b border-border py-2 text-ui">
                <p className="font-medium">{t('handoff', { from: handoff.from, to: handoff.to })}</p>
                <p className="break-words whitespace-pre-wrap text-muted-foreground">{handoff.task}</p>
                {handoff.answer === null ? (
                  <p className="mt-1 text-muted-foreground">{t('unanswered')}</p>
                ) : (
                  <p className="mt-1 border-s-2 border-border ps-3 break-words whitespace-pre-wrap">
                    {handoff.answer || t('prompt.nothing')}
                  </p>
                )}
              </li>
            ))}
          </ol>
        </Part>
      ) : null}
      {reasoning.length > 0 ? (
        <Part title={t('reasoning')} note={t('reasoningNote')}>
          <div className="border-t border-border">
            {reasoning.map(({ step, text }, index) => (
              <details key={step} className="border-b border-border">
                <summary className="cursor-pointer py-1.5 pointer-coarse:py-3 text-ui text-muted-foreground hover:text-foreground">
                  {t('thought', { number: index + 1, characters: text.length })}
                </summary>
                <p className="pb-3 text-chat break-words whitespace-pre-wrap text-muted-foreground">{text}</p>
              </details>
            ))}
          </div>
        </Part>
      ) : null}
      {prompts.length > 0 ? (
        <Part title={t('prompt.title')} note={t('prompt.note')}>
          <div className="flex flex-col gap-4">
            {prompts.map(({ path, agentId, parts }) => (
              <div key={path}>
                {prompts.length > 1 ? <h3 className="mb-1 text-ui font-medium">{agentId}</h3> : null}
                <PromptParts parts={parts} />
              </div>
            ))}
          </div>
        </Part>
      ) : null}
    </div>
  );
}

function Totals({ calls }: { calls: ModelActivity['calls'] }) {
  const t = useTranslations('runs.model');
  const format = useFormatter();
  const costText = useCostText();
  const { costs, unpriced } = sumCosts(calls);
  const tokens = calls.reduce((sum, call) => sum + tokensOf(call), 0);
  const amounts = [
    ...costs.map(costText),
    ...(unpriced === 0 ? [] : [costs.length === 0 ? t('noPrice') : t('unpriced', { count: unpriced })]),
  ];
  return `${t('total', { count: calls.length, tokens: format.number(tokens) })} · ${amounts.join(' · ')}`;
}

function Part({ title, note, children }: { title: string; note?: ReactNode; children: ReactNode }) {
  return (
    <section className="min-w-0">
      <h2 className="text-section font-semibold">{title}</h2>
      {note ? <p className="mb-1.5 text-ui text-muted-foreground tabular">{note}</p> : null}
      {children}
    </section>
  );
}
