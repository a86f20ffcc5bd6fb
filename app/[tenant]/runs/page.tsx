import type { Metadata } from 'next';
import Link from 'next/link';
import { getLocale, getTimeZone, getTranslations } from 'next-intl/server';
import { ExportMenu } from '#components/exports/export-menu.tsx';
import { isFiltered, readRunFilters, toRunListQuery, toSearchParams } from '#components/runs/run-filters.ts';
import { RunsFilters } from '#components/runs/runs-filters.tsx';
import { RunsList } from '#components/runs/runs-list.tsx';
import { Denied } from '#components/shell/denied.tsx';
import { PageHead } from '#components/shell/page-head.tsx';
import { buttonClasses } from '#components/ui/button.tsx';
import { EmptyState } from '#components/ui/empty-state.tsx';
import { loadActorNames, loadCapabilityNames, loadPresets, loadRuns, loadShell } from '../page-data.ts';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('runs.pages');
  return { title: t('list') };
}

interface RunsPageProps {
  params: Promise<{ tenant: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function RunsPage({ params, searchParams }: RunsPageProps) {
  const { tenant } = await params;
  const [filters, timeZone, locale, t] = await Promise.all([
    readRunFilters(searchParams),
    getTimeZone(),
    getLocale(),
    getTranslations('runs'),
  ]);
  const query = toRunListQuery(filters, timeZone);
  const { cursor: _cursor, limit: _limit, ...ofSet } = query;
  const [me, runs, presets, capabilities, actors] = await Promise.all([
    loadShell(tenant),
    loadRuns(tenant, query),
    loadPresets(tenant),
    loadCapabilityNames(tenant),
    loadActorNames(tenant),
  ]);
  if (!runs.isAllowed) return <Denied permission={runs.permission} />;
  const presetNames = Object.fromEntries(presets.map(({ key, name }) => [key, name[locale]]));
  return (
    <>
      <PageHead title={t('pages.list')}>
        {me.permissions.includes('audit:export') ? <ExportMenu request={{ query: ofSet }} /> : null}
      </PageHead>
      <RunsFilters
        presets={presets.map(({ key, name }) => ({ value: key, label: name[locale] }))}
        capabilities={capabilities.map(({ id, title }) => ({ value: id, label: title[locale] }))}
        actors={actors}
        query={toSearchParams(query).toString()}
      />
      <RunsList
        tenantSlug={tenant}
        page={runs.value}
        filters={filters}
        timeZone={timeZone}
        presetNames={presetNames}
        empty={
          isFiltered(filters) ? (
            <EmptyState
              title={t('list.nothing')}
              action={
                <Link href={`/${tenant}/runs`} className={buttonClasses({ look: 'outline' })}>
                  {t('list.clear')}
                </Link>
              }
            >
              {t('list.nothingBody')}
            </EmptyState>
          ) : (
            <EmptyState
              title={t('list.empty')}
              example={t('list.example')}
              {...(me.permissions.includes('conversation:write')
                ? {
                    action: (
                      <Link href={`/${tenant}/chat`} className={buttonClasses({ look: 'primary' })}>
                        {t('list.ask')}
                      </Link>
                    ),
                  }
                : {})}
            >
              {t('list.emptyBody')}
            </EmptyState>
          )
        }
      />
    </>
  );
}
