'use client';

import { useTranslations } from 'next-intl';
import { useEffect, useState } from 'react';
import { requestJson } from '#components/api/request.ts';
import { StateChip } from '#components/ui/state-chip.tsx';
import { TimeAgo } from '#components/ui/time.tsx';
import { operatedTenantPage, type PurgeView, purgePage } from '#lib/tenancy/contract.ts';

const LOOK_AGAIN_MS = 1500;
const SOURCES = {
  '/api/operator/tenants': operatedTenantPage.transform(({ purges }) => purges),
  '/api/account/deletions': purgePage.transform(({ items }) => items),
} as const;

interface PurgeListProps {
  purges: readonly PurgeView[];
  /** Where to look again while one is under way. */
  source: keyof typeof SOURCES;
  emptyText: string;
}

/** Workspaces that were deleted, each with how far the removal of its rows has come. Follows those that are under way. */
export function PurgeList({ purges, source, emptyText }: PurgeListProps) {
  const t = useTranslations('operator.purges');
  const [fresh, setFresh] = useState<readonly PurgeView[] | null>(null);
  const shown = fresh ?? purges;
  const isUnderWay = shown.some(({ finishedAt }) => finishedAt === null);
  useEffect(() => {
    if (!isUnderWay) return undefined;
    const timer = setInterval(() => {
      requestJson(source, SOURCES[source]).then(setFresh, () => undefined);
    }, LOOK_AGAIN_MS);
    return () => clearInterval(timer);
  }, [isUnderWay, source]);
  if (shown.length === 0) return <p className="text-ui text-muted-foreground">{emptyText}</p>;
  return (
    <ul aria-label={t('label')} className="border-t border-border">
      {shown.map((purge) => (
        <PurgeRow key={purge.tenantId} purge={purge} />
      ))}
    </ul>
  );
}

function PurgeRow({ purge }: { purge: PurgeView }) {
  const t = useTranslations('operator.purges');
  const { name, slug, totalRows, purgedRows, finishedAt } = purge;
  const text = finishedAt
    ? t('done', { total: purgedRows })
    : totalRows === null
      ? t('counting')
      : t('running', { done: Math.min(purgedRows, totalRows), total: totalRows });
  return (
    <li className="flex min-h-12 flex-wrap items-center gap-x-4 gap-y-1 border-b border-border py-2 text-ui">
      <div className="min-w-0 flex-1 basis-44">
        <p className="truncate font-medium">{name}</p>
        <p className="truncate text-meta text-muted-foreground">
          <code className="font-mono">/{slug}</code> · {t('asked')} <TimeAgo at={purge.requestedAt} />
        </p>
      </div>
      <div className="flex w-64 flex-col gap-1 max-sm:w-full">
        <StateChip tone={finishedAt ? 'ok' : 'active'}>{text}</StateChip>
        {finishedAt ? null : (
          <progress
            aria-label={name}
            value={totalRows ? purgedRows : undefined}
            max={totalRows || undefined}
            className="h-1 w-full accent-primary"
          />
        )}
      </div>
    </li>
  );
}
