import type { Metadata } from 'next';
import Link from 'next/link';
import { getTranslations } from 'next-intl/server';
import { Denied } from '#components/shell/denied.tsx';
import { SettingsPage } from '#components/shell/settings-page.tsx';
import { buttonClasses } from '#components/ui/button.tsx';
import { EmptyState } from '#components/ui/empty-state.tsx';
import { TabLinks } from '#components/ui/tab-links.tsx';
import { readUsageFilters, USAGE_BY, USAGE_DAYS, writeUsageFilters } from '#components/usage/usage-filters.ts';
import { UsageByDay, UsageTable } from '#components/usage/usage-table.tsx';
import { loadUsage, type SearchParams } from '../../page-data.ts';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('usage');
  return { title: t('title') };
}

interface UsagePageProps {
  params: Promise<{ tenant: string }>;
  searchParams: Promise<SearchParams>;
}

export default async function UsagePage({ params, searchParams }: UsagePageProps) {
  const [{ tenant }, search, t] = await Promise.all([params, searchParams, getTranslations('usage')]);
  const filters = readUsageFilters(search);
  const usage = await loadUsage(tenant, filters);
  if (!usage.isAllowed) return <Denied permission={usage.permission} />;
  const models = usage.value;
  const base = `/${tenant}/settings/usage`;
  return (
    <SettingsPage
      title={t('title')}
      intro={t('intro', { from: models.from, to: models.to, zone: models.timeZone })}
      action={
        <>
          <nav aria-label={t('range')} className="flex gap-1">
            {USAGE_DAYS.map((days) => (
              <Link
                key={days}
                href={base + writeUsageFilters({ ...filters, days })}
                aria-current={days === filters.days ? 'true' : undefined}
                className={buttonClasses({ look: days === filters.days ? 'outline' : 'quiet', size: 'small' })}
              >
                {t('days', { count: days })}
              </Link>
            ))}
          </nav>
          <a
            href={`/api/t/${tenant}/usage/file${writeUsageFilters(filters)}`}
            download
            className={buttonClasses({ look: 'outline', size: 'small' })}
          >
            {t('csv')}
          </a>
        </>
      }
      isWide
    >
      <div className="flex flex-col gap-4">
        <TabLinks
          label={t('by.label')}
          current={filters.by}
          tabs={USAGE_BY.map((by) => ({ key: by, href: base + writeUsageFilters({ ...filters, by }), label: t(`by.${by}`) }))}
        />
        {models.items.length === 0 ? (
          <EmptyState title={t('none')}>{t('noneBody')}</EmptyState>
        ) : (
          <>
            {filters.by === 'day' ? <UsageByDay usage={models} /> : null}
            <UsageTable usage={models} />
          </>
        )}
      </div>
      <p className="text-ui text-muted-foreground">
        {t('tools')}{' '}
        <Link href={`/${tenant}/metrics`} className="underline underline-offset-2">
          {t('metrics')}
        </Link>
      </p>
    </SettingsPage>
  );
}
