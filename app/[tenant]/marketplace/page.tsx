import type { Metadata } from 'next';
import Link from 'next/link';
import { getTranslations } from 'next-intl/server';
import { PluginFilterBar } from '#components/marketplace/plugin-filter-bar.tsx';
import { isFiltered, readPluginFilters, toPluginQuery, viewOf } from '#components/marketplace/plugin-filters.ts';
import { PluginList } from '#components/marketplace/plugin-list.tsx';
import { RequestList } from '#components/marketplace/request-list.tsx';
import { Denied } from '#components/shell/denied.tsx';
import { PageHead } from '#components/shell/page-head.tsx';
import { buttonClasses } from '#components/ui/button.tsx';
import { EmptyState } from '#components/ui/empty-state.tsx';
import { TabLinks } from '#components/ui/tab-links.tsx';
import { loadPluginRequests, loadPlugins, type SearchParams } from '../page-data.ts';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('marketplace');
  return { title: t('title') };
}

interface MarketplacePageProps {
  params: Promise<{ tenant: string }>;
  searchParams: Promise<SearchParams>;
}

export default async function MarketplacePage({ params, searchParams }: MarketplacePageProps) {
  const [{ tenant }, filters, t] = await Promise.all([params, readPluginFilters(searchParams), getTranslations('marketplace')]);
  const [everything, requests] = await Promise.all([loadPlugins(tenant, {}), loadPluginRequests(tenant)]);
  if (!everything.isAllowed) return <Denied permission={everything.permission} />;
  const { installedCount, facets, items: all } = everything.value;
  const view = viewOf(filters, installedCount);
  const query = toPluginQuery(filters, view);
  const narrowed = Object.keys(query).length === 0 ? everything : await loadPlugins(tenant, query);
  const plugins = narrowed.isAllowed ? narrowed.value.items : [];
  const asked = requests.isAllowed ? requests.value : [];
  const base = `/${tenant}/marketplace`;
  const tabs = [
    { key: 'installed', href: `${base}?view=installed`, label: t('views.installed'), count: installedCount },
    { key: 'all', href: `${base}?view=all`, label: t('views.all'), count: all.length },
    {
      key: 'requests',
      href: `${base}?view=requests`,
      label: t('views.requests'),
      count: asked.filter(({ state }) => state === 'OPEN').length,
    },
  ];
  return (
    <>
      <PageHead title={t('title')} />
      <div className="shrink-0 px-4">
        <TabLinks label={t('views.label')} tabs={tabs} current={view} />
      </div>
      {view === 'requests' ? (
        <div className="min-h-0 flex-1 overflow-y-auto">
          {asked.length === 0 ? (
            <EmptyState title={t('requests.empty')} className="px-4">
              {t('requests.emptyBody')}
            </EmptyState>
          ) : (
            <RequestList requests={asked} />
          )}
        </div>
      ) : (
        <>
          <PluginFilterBar facets={facets} />
          <div className="min-h-0 flex-1 overflow-y-auto">
            {plugins.length > 0 ? (
              <PluginList tenantSlug={tenant} plugins={plugins} />
            ) : (
              <Nothing all={`${base}?view=all`} view={view} isNarrowed={isFiltered(filters)} />
            )}
          </div>
        </>
      )}
    </>
  );
}

/** An empty catalogue, one of which nothing is installed, and filters that leave nothing are three things. */
async function Nothing({ all, view, isNarrowed }: { all: string; view: string; isNarrowed: boolean }) {
  const t = await getTranslations('marketplace');
  const link = (
    <Link href={all} className={buttonClasses({ look: 'outline' })}>
      {isNarrowed ? t('filters.clear') : t('list.browse')}
    </Link>
  );
  if (isNarrowed) {
    return (
      <EmptyState title={t('list.nothing')} action={link} className="px-4">
        {t('list.nothingBody')}
      </EmptyState>
    );
  }
  if (view === 'installed') {
    return (
      <EmptyState title={t('list.noneInstalled')} action={link} className="px-4">
        {t('list.noneInstalledBody')}
      </EmptyState>
    );
  }
  return (
    <EmptyState title={t('list.empty')} className="px-4">
      {t('list.emptyBody')}
    </EmptyState>
  );
}
