import Link from 'next/link';
import { useFormatter, useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { Duration } from '#components/ui/duration.tsx';
import type { FiguresView } from '#lib/record/contract.ts';

/** What the runs of a period came to, in one line of figures. */
export function RunFigures({ tenantSlug, runs }: { tenantSlug: string; runs: FiguresView['runs'] }) {
  const t = useTranslations('metrics.runs');
  const format = useFormatter();
  const base = `/${tenantSlug}/runs`;
  const share = (part: number) => format.number(runs.total === 0 ? 0 : part / runs.total, { style: 'percent', maximumFractionDigits: 1 });
  return (
    <dl className="grid grid-cols-6 gap-px border-y border-border bg-border max-lg:grid-cols-3 max-sm:grid-cols-2">
      <Figure name={t('total')} href={base}>
        {format.number(runs.total)}
      </Figure>
      <Figure name={t('succeeded')} href={`${base}?state=FINISH_OK`}>
        {share(runs.succeeded)}
      </Figure>
      <Figure name={t('failed')} href={`${base}?state=FINISH_ERROR,TIMEOUT`}>
        {share(runs.failed)}
      </Figure>
      <Figure name={t('stopped')} href={`${base}?state=CANCELLED`}>
        {share(runs.stopped)}
      </Figure>
      <Figure name={t('p50')}>{runs.p50Ms === null ? '–' : <Duration milliseconds={runs.p50Ms} />}</Figure>
      <Figure name={t('p95')}>{runs.p95Ms === null ? '–' : <Duration milliseconds={runs.p95Ms} />}</Figure>
    </dl>
  );
}

function Figure({ name, href, children }: { name: string; href?: string; children: ReactNode }) {
  return (
    <div className="bg-background px-3 py-3">
      <dt className="text-meta text-muted-foreground">
        {href ? (
          <Link href={href} className="touchable underline-offset-2 hover:underline">
            {name}
          </Link>
        ) : (
          name
        )}
      </dt>
      <dd className="text-page font-medium tabular">{children}</dd>
    </div>
  );
}
