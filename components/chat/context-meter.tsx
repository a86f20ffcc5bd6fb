'use client';

import { useFormatter, useTranslations } from 'next-intl';
import { Popover } from 'radix-ui';
import { lazy, Suspense } from 'react';
import { Button } from '#components/ui/button.tsx';
import { joinClasses } from '#components/ui/join-classes.ts';
import type { ContextView, UsageView } from '#lib/conversations/contract.ts';
import { contextUse, isNearlyFull } from './context-use.ts';
import { TOKEN_CLASSES } from './usage-sum.ts';
import { useCostText } from './use-cost-text.ts';

// Nobody needs it before the meter is opened.
const SessionBudgets = lazy(async () => ({ default: (await import('#components/budgets/session-budgets.tsx')).SessionBudgets }));

const RADIUS = 6;
const ROUND = 2 * Math.PI * RADIUS;

/** How much of the model's room the last call took, and what this chat has used. It moves with each call, never with a key. */
export function ContextMeter({ context, usage, sessionId }: { context: ContextView; usage: UsageView | null; sessionId: string }) {
  const t = useTranslations('chat.meter');
  const format = useFormatter();
  const cost = useCostText()(usage?.cost ?? null);
  const { used, free, share } = contextUse(context);
  const isFull = isNearlyFull(context);
  const percent = format.number(share, { style: 'percent', maximumFractionDigits: 0 });
  const rows = [
    ['system', context.system],
    ['history', context.history],
    ['summary', context.summary],
    ['tools', context.tools],
    ['free', free],
  ] as const;
  return (
    <Popover.Root>
      <Popover.Trigger asChild>
        <Button
          look="quiet"
          size="small"
          aria-label={t('label', { percent })}
          className={joinClasses('shrink-0 font-normal tabular', isFull ? 'text-warn' : 'text-muted-foreground')}
        >
          <svg viewBox="0 0 16 16" aria-hidden className="!size-4 -rotate-90">
            <circle cx="8" cy="8" r={RADIUS} fill="none" strokeWidth="2.5" className="stroke-border" />
            <circle
              cx="8"
              cy="8"
              r={RADIUS}
              fill="none"
              strokeWidth="2.5"
              stroke="currentColor"
              strokeDasharray={`${Math.min(1, share) * ROUND} ${ROUND}`}
            />
          </svg>
          {usage?.cost ? t('line', { percent, cost }) : percent}
        </Button>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          side="top"
          align="end"
          sideOffset={6}
          collisionPadding={8}
          aria-label={t('title')}
          className="z-50 w-72 max-w-[calc(100vw-1rem)] animate-appear rounded-card border border-border bg-card p-3 text-ui shadow-floating outline-none"
        >
          <table className="w-full tabular">
            <caption className="pb-2 text-start text-meta text-muted-foreground">
              {t('room', { used: format.number(used), limit: format.number(context.limitTokens) })}
            </caption>
            <tbody>
              {rows.map(([name, tokens]) => (
                <Row key={name} name={t(`parts.${name}`)} value={format.number(tokens)} />
              ))}
            </tbody>
          </table>
          {usage ? (
            <table className="mt-3 w-full border-t border-border tabular">
              <caption className="pt-2 pb-2 text-start text-meta text-muted-foreground">{t('chat')}</caption>
              <tbody>
                {TOKEN_CLASSES.map((name) => (
                  <Row key={name} name={t(`classes.${name}`)} value={format.number(usage[name])} />
                ))}
              </tbody>
              <tfoot>
                <Row name={t('total')} value={format.number(usage.totalTokens)} />
                <Row name={t('cost')} value={cost} />
              </tfoot>
            </table>
          ) : null}
          <Suspense fallback={null}>
            <SessionBudgets sessionId={sessionId} />
          </Suspense>
          <p className="mt-2 text-meta text-muted-foreground">{isFull ? t('full') : t('hint')}</p>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

function Row({ name, value }: { name: string; value: string }) {
  return (
    <tr>
      <th scope="row" className="py-0.5 pe-3 text-start font-normal text-muted-foreground">
        {name}
      </th>
      <td className="text-end">{value}</td>
    </tr>
  );
}
