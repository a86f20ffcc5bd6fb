import Link from 'next/link';
import { useFormatter, useTranslations } from 'next-intl';
import { Cell, Column, Row, rowLinkClasses, Table } from '#components/ui/table.tsx';
import { TimeAgo } from '#components/ui/time.tsx';
import type { FiguresView } from '#lib/record/contract.ts';
import { Bar } from './bar.tsx';

interface StageFiguresProps {
  tenantSlug: string;
  stages: FiguresView['stages'];
  /** When the figures were read. */
  readAt: string;
}

/** Where open runs stand, the one that has been silent for longest first; each leads to that run. */
export function StageFigures({ tenantSlug, stages, readAt }: StageFiguresProps) {
  const t = useTranslations('metrics.stages');
  const format = useFormatter();
  const silentMs = (since: string) => Math.max(0, Date.parse(readAt) - Date.parse(since));
  const most = Math.max(0, ...stages.map(({ since }) => silentMs(since)));
  return (
    <Table
      label={t('title')}
      columns={
        <>
          <Column>{t('stage')}</Column>
          <Column className="w-48 max-sm:w-28">{t('silent')}</Column>
          <Column isNumber>{t('runs')}</Column>
        </>
      }
    >
      {stages.map(({ stage, runs, runId, since }) => (
        <Row key={stage}>
          <Cell>
            <Link href={`/${tenantSlug}/runs/${runId}`} className={rowLinkClasses}>
              {t(`names.${stage}`)}
            </Link>
          </Cell>
          <Cell>
            <TimeAgo at={since} />
            <Bar value={silentMs(since)} most={most} tone={stage === 'approval' || stage === 'question' ? 'bg-waiting' : 'bg-primary'} />
          </Cell>
          <Cell isNumber>{format.number(runs)}</Cell>
        </Row>
      ))}
    </Table>
  );
}
