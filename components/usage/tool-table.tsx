'use client';

import { useFormatter, useTranslations } from 'next-intl';
import { useDurationText } from '#components/ui/duration.tsx';
import { Cell, Column, Row, Table } from '#components/ui/table.tsx';
import type { ToolUsageView } from '#lib/record/contract.ts';

/** How often each tool was called, how long it took, and how often that failed. */
export function ToolTable({ usage }: { usage: ToolUsageView }) {
  const t = useTranslations('usage.tools');
  const format = useFormatter();
  const duration = useDurationText();
  const count = (value: number) => format.number(value);
  return (
    <Table
      label={t('title')}
      columns={
        <>
          <Column>{t('tool')}</Column>
          <Column isNumber>{t('calls')}</Column>
          <Column isNumber>{t('average')}</Column>
          <Column isNumber className="max-sm:hidden">
            {t('longest')}
          </Column>
          <Column isNumber>{t('failed')}</Column>
          <Column isNumber className="max-sm:hidden">
            {t('refused')}
          </Column>
          <Column isNumber className="max-sm:hidden">
            {t('retries')}
          </Column>
        </>
      }
    >
      {usage.items.map((tool) => (
        <Row key={tool.capabilityId}>
          <Cell className="max-w-72 truncate">
            <code className="font-mono text-meta">{tool.capabilityId}</code>
          </Cell>
          <Cell isNumber>{count(tool.calls)}</Cell>
          <Cell isNumber>{tool.averageMs === null ? '–' : duration(tool.averageMs)}</Cell>
          <Cell isNumber className="max-sm:hidden">
            {tool.longestMs === null ? '–' : duration(tool.longestMs)}
          </Cell>
          <Cell isNumber>
            {count(tool.failed)}
            {tool.failed > 0 ? (
              <span className="ms-1 text-meta text-muted-foreground">
                {format.number(tool.failed / (tool.calls - tool.refused), { style: 'percent', maximumFractionDigits: 1 })}
              </span>
            ) : null}
          </Cell>
          <Cell isNumber className="max-sm:hidden">
            {count(tool.refused)}
          </Cell>
          <Cell isNumber className="max-sm:hidden">
            {count(tool.retries)}
          </Cell>
        </Row>
      ))}
    </Table>
  );
}
