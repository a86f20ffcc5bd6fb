import { useFormatter, useTranslations } from 'next-intl';
import { useCostText } from '#components/chat/use-cost-text.ts';
import { Duration } from '#components/ui/duration.tsx';
import { Cell, Column, Row, Table } from '#components/ui/table.tsx';
import type { FiguresView } from '#lib/record/contract.ts';
import { Bar } from './bar.tsx';

/** Models by what they cost, the most expensive first; calls without a price are counted apart and never as nothing. */
export function ModelFigures({ models }: { models: FiguresView['models'] }) {
  const t = useTranslations('metrics.models');
  const format = useFormatter();
  const costText = useCostText();
  const most = Math.max(0, ...models.map(costOf));
  return (
    <Table
      label={t('title')}
      columns={
        <>
          <Column>{t('model')}</Column>
          <Column className="w-48 max-sm:w-28">{t('cost')}</Column>
          <Column isNumber>{t('input')}</Column>
          <Column isNumber>{t('output')}</Column>
          <Column isNumber className="max-sm:hidden">
            {t('calls')}
          </Column>
          <Column isNumber className="max-sm:hidden">
            {t('mean')}
          </Column>
        </>
      }
    >
      {models.map((row) => (
        <Row key={`${row.provider}/${row.model}/${row.scene}`}>
          <Cell className="break-words">
            <span className="font-medium">{row.model}</span>
            <span className="block text-meta text-muted-foreground">
              {t('of', { provider: row.provider, scene: row.scene === 'summary' ? t('scenes.summary') : t('scenes.answer') })}
            </span>
          </Cell>
          <Cell>
            <span className="tabular">{row.costs.length > 0 ? row.costs.map(costText).join(' + ') : costText(null)}</span>
            {row.costs.length > 0 && row.unpriced > 0 ? (
              <span className="block text-meta text-muted-foreground">{t('unpriced', { count: row.unpriced })}</span>
            ) : null}
            <Bar value={costOf(row)} most={most} />
          </Cell>
          <Cell isNumber>{format.number(row.inputTokens)}</Cell>
          <Cell isNumber>{format.number(row.outputTokens)}</Cell>
          <Cell isNumber className="max-sm:hidden">
            {format.number(row.calls)}
          </Cell>
          <Cell isNumber className="max-sm:hidden">
            {row.meanMs === null ? '–' : <Duration milliseconds={row.meanMs} />}
          </Cell>
        </Row>
      ))}
    </Table>
  );
}

function costOf({ costs }: FiguresView['models'][number]): number {
  return Math.max(0, ...costs.map(({ micros }) => micros));
}
