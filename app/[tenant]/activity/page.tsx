import type { Metadata } from 'next';
import Link from 'next/link';
import { getTimeZone, getTranslations } from 'next-intl/server';
import { ActivityFilterBar } from '#components/activity/activity-filter-bar.tsx';
import { isNarrowed, readActivityFilters, toAuditQuery, writeActivityFilters } from '#components/activity/activity-filters.ts';
import { ActivityList } from '#components/activity/activity-list.tsx';
import { Denied } from '#components/shell/denied.tsx';
import { PageHead } from '#components/shell/page-head.tsx';
import { buttonClasses } from '#components/ui/button.tsx';
import { EmptyState } from '#components/ui/empty-state.tsx';
import { loadActivity, loadActorNames } from '../page-data.ts';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('activity');
  return { title: t('title') };
}

interface ActivityPageProps {
  params: Promise<{ tenant: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function ActivityPage({ params, searchParams }: ActivityPageProps) {
  const { tenant } = await params;
  const [filters, timeZone, t] = await Promise.all([readActivityFilters(searchParams), getTimeZone(), getTranslations('activity')]);
  const [activity, people] = await Promise.all([loadActivity(tenant, toAuditQuery(filters, timeZone)), loadActorNames(tenant)]);
  if (!activity.isAllowed) return <Denied permission={activity.permission} />;
  const base = `/${tenant}/activity`;
  const { items, nextCursor } = activity.value;
  return (
    <>
      <PageHead title={t('title')} />
      <ActivityFilterBar people={people} />
      <div className="min-h-0 flex-1 overflow-y-auto">
        {items.length > 0 ? (
          <ActivityList tenantSlug={tenant} events={items} />
        ) : (
          <div className="px-4">
            {isNarrowed(filters) ? (
              <EmptyState
                title={t('nothing')}
                action={
                  <Link href={base} className={buttonClasses({ look: 'outline' })}>
                    {t('filters.clear')}
                  </Link>
                }
              >
                {t('nothingBody')}
              </EmptyState>
            ) : (
              <EmptyState title={t('empty')}>{t('emptyBody')}</EmptyState>
            )}
          </div>
        )}
        {nextCursor || filters.cursor ? (
          <nav aria-label={t('paging')} className="flex items-center gap-2 px-4 py-3">
            {filters.cursor ? (
              <Link href={base + writeActivityFilters({ ...filters, cursor: null })} className={buttonClasses({ look: 'outline' })}>
                {t('newest')}
              </Link>
            ) : null}
            {nextCursor ? (
              <Link href={base + writeActivityFilters({ ...filters, cursor: nextCursor })} className={buttonClasses({ look: 'outline' })}>
                {t('older')}
              </Link>
            ) : null}
          </nav>
        ) : null}
      </div>
    </>
  );
}
