import Link from 'next/link';
import { useFormatter, useTranslations } from 'next-intl';
import { Duration } from '#components/ui/duration.tsx';
import { Cell, Column, Row, rowLinkClasses, Table } from '#components/ui/table.tsx';
import type { FiguresView } from '#lib/record/contract.ts';
import { Bar } from './bar.tsx';

interface ToolFiguresProps {
  tenantSlug: string;
  tools: FiguresView['tools'];
  /** Names in the reader's language, by id; one that is missing is shown by its id. */
  titles: { readonly [capabilityId: string]: string };
}

/** Tools by how long they take, the slowest first; each leads to the runs that called it. */
export function ToolFigures({ tenantSlug, tools, titles }: ToolFiguresProps) {
  const t = useTranslations('metrics.tools');
  const format = useFormatter();
  const most = Math.max(0, ...tools.map(({ p95Ms }) => p95Ms ?? 0));
  return (
    <Table
      label={t('title')}
      columns={
        <>
          <Column>{t('tool')}</Column>
          <Column className="w-48 max-sm:w-28">{t('p95')}</Column>
          <Column isNumber className="max-sm:hidden">
            {t('mean')}
          </Column>
          <Column isNumber>{t('calls')}</Column>
          <Column isNumber>{t('failed')}</Column>
          <Column isNumber className="max-sm:hidden">
            {t('retries')}
          </Column>
        </>
      }
    >
      {tools.map(({ capabilityId, calls, failed, retries, meanMs, p95Ms }) => (
        <Row key={capabilityId ?? ''}>
          <Cell className="break-words">
            {capabilityId === null ? (
              <span className="text-muted-foreground">{t('unknown')}</span>
            ) : (
              <Link href={`/${tenantSlug}/runs?capability=${encodeURIComponent(capabilityId)}`} className={rowLinkClasses}>
                {titles[capabilityId] ?? <code className="font-mono text-meta">{capabilityId}</code>}
              </Link>
            )}
          </Cell>
          <Cell>
            {p95Ms === null ? '–' : <Duration milliseconds={p95Ms} />}
            <Bar value={p95Ms ?? 0} most={most} />
          </Cell>
          <Cell isNumber className="max-sm:hidden">
            {meanMs === null ? '–' : <Duration milliseconds={meanMs} />}
          </Cell>
          <Cell isNumber>{format.number(calls)}</Cell>
          <Cell isNumber>{format.number(calls === 0 ? 0 : failed / calls, { style: 'percent', maximumFractionDigits: 1 })}</Cell>
          <Cell isNumber className="max-sm:hidden">
            {format.number(retries)}
          </Cell>
        </Row>
      ))}
    </Table>
  );
}
