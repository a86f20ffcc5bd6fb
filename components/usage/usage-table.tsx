'use client';

import { useFormatter, useTranslations } from 'next-intl';
import { Cell, Column, Row, Table } from '#components/ui/table.tsx';
import type { ModelUsageView, ModelUseRow, ModelUseView } from '#lib/record/contract.ts';
import { daysBetween } from './usage-filters.ts';

const CLASSES = ['inputTokens', 'cachedInputTokens', 'cacheWriteTokens', 'outputTokens', 'reasoningTokens'] as const;
const SCENES = ['answer', 'specialist', 'summary', 'embedding'] as const;

/** What models used, a row for each model, purpose, person or day; the classes of a row sum to its total, and the rows to the last. */
export function UsageTable({ usage }: { usage: ModelUsageView }) {
  const t = useTranslations('usage');
  const format = useFormatter();
  const keyText = useKeyText(usage.by);
  const most = Math.max(1, ...usage.items.map(({ totalTokens }) => totalTokens));
  return (
    <Table
      label={t('title')}
      columns={
        <>
          <Column>{t(`by.${usage.by}`)}</Column>
          <Column className="w-24 max-sm:hidden">
            <span className="sr-only">{t('share')}</span>
          </Column>
          <Column isNumber>{t('calls')}</Column>
          {CLASSES.map((name) => (
            <Column key={name} isNumber className="max-lg:hidden">
              {t(`classes.${name}`)}
            </Column>
          ))}
          <Column isNumber>{t('total')}</Column>
          <Column isNumber>{t('cost')}</Column>
        </>
      }
    >
      {usage.items.map((item) => (
        <Row key={item.key}>
          <Cell className="max-w-56 truncate" title={keyText(item)}>
            {keyText(item)}
          </Cell>
          <Cell className="w-24 max-sm:hidden">
            <svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden className="block h-1.5 w-full">
              <rect width={(item.totalTokens / most) * 100} height="6" className="fill-primary" />
            </svg>
          </Cell>
          <Figures use={item} />
        </Row>
      ))}
      <Row className="font-medium">
        <Cell>{t('all', { count: format.number(usage.items.length) })}</Cell>
        <Cell className="max-sm:hidden" />
        <Figures use={usage.total} />
      </Row>
    </Table>
  );
}

function Figures({ use }: { use: ModelUseView }) {
  const t = useTranslations('usage');
  const format = useFormatter();
  const money = useMoneyText();
  return (
    <>
      <Cell isNumber>{format.number(use.calls)}</Cell>
      {CLASSES.map((name) => (
        <Cell key={name} isNumber className="max-lg:hidden">
          {format.number(use[name])}
        </Cell>
      ))}
      <Cell isNumber>
        {format.number(use.totalTokens)}
        {use.estimatedCalls > 0 ? (
          <span className="block text-meta text-muted-foreground">{t('estimated', { count: use.estimatedCalls })}</span>
        ) : null}
      </Cell>
      <Cell isNumber>
        {use.costs.map((cost) => (
          <span key={cost.currency} className="block">
            {money(cost)}
          </span>
        ))}
        {use.unpricedCalls > 0 ? (
          <span className="block text-meta text-muted-foreground">{t('unpriced', { count: use.unpricedCalls })}</span>
        ) : null}
      </Cell>
    </>
  );
}

/** The tokens of each day as a picture; the table says the same in figures. */
export function UsageByDay({ usage }: { usage: ModelUsageView }) {
  const t = useTranslations('usage');
  const days = daysBetween(usage.from, usage.to);
  const tokensOn = new Map(usage.items.map(({ key, totalTokens }) => [key, totalTokens]));
  const most = Math.max(1, ...tokensOn.values());
  const format = useFormatter();
  return (
    <figure className="flex flex-col gap-1">
      <figcaption className="text-meta text-muted-foreground tabular">{t('mostOfADay', { tokens: format.number(most) })}</figcaption>
      <svg
        viewBox={`0 0 ${days.length * 10} 100`}
        preserveAspectRatio="none"
        aria-hidden
        className="block h-32 w-full border-b border-border"
      >
        {days.map((day, index) => {
          const height = ((tokensOn.get(day) ?? 0) / most) * 100;
          return <rect key={day} x={index * 10 + 1} y={100 - height} width="8" height={height} className="fill-primary" />;
        })}
      </svg>
      <div aria-hidden className="flex justify-between text-meta text-muted-foreground tabular">
        <span>{usage.from}</span>
        <span>{usage.to}</span>
      </div>
    </figure>
  );
}

function useKeyText(by: ModelUsageView['by']): (item: ModelUseRow) => string {
  const t = useTranslations('usage');
  return ({ key, name }) => {
    if (by === 'person') return name ?? t('goneMember');
    const scene = SCENES.find((each) => each === key);
    return by === 'scene' && scene ? t(`scenes.${scene}`) : key;
  };
}

function useMoneyText(): (cost: { currency: string; micros: number }) => string {
  const format = useFormatter();
  return ({ currency, micros }) => {
    const amount = micros / 1_000_000;
    return format.number(amount, { style: 'currency', currency, maximumFractionDigits: amount >= 1 ? 2 : 4 });
  };
}
