import type { Metadata } from 'next';
import { getLocale, getTranslations } from 'next-intl/server';
import { PluginHead } from '#components/marketplace/plugin-head.tsx';
import { PluginOverview } from '#components/marketplace/plugin-overview.tsx';
import { PluginPermissions } from '#components/marketplace/plugin-permissions.tsx';
import { PluginSettings } from '#components/marketplace/plugin-settings.tsx';
import { PluginUsage } from '#components/marketplace/plugin-usage.tsx';
import { PluginVersions } from '#components/marketplace/plugin-versions.tsx';
import { Denied } from '#components/shell/denied.tsx';
import { TabLinks } from '#components/ui/tab-links.tsx';
import { loadPlugin, loadShell, oneOf, type SearchParams } from '../../page-data.ts';

const TABS = ['overview', 'permissions', 'versions', 'config', 'usage'] as const;

interface PluginPageProps {
  params: Promise<{ tenant: string; plugin: string }>;
  searchParams: Promise<SearchParams>;
}

export async function generateMetadata({ params }: PluginPageProps): Promise<Metadata> {
  const [{ tenant, plugin }, locale, t] = await Promise.all([params, getLocale(), getTranslations('marketplace')]);
  const loaded = await loadPlugin(tenant, plugin);
  return { title: loaded.isAllowed ? loaded.value.name[locale] : t('title') };
}

export default async function PluginPage({ params, searchParams }: PluginPageProps) {
  const [{ tenant, plugin: id }, search, t] = await Promise.all([params, searchParams, getTranslations('marketplace.tabs')]);
  const [me, loaded] = await Promise.all([loadShell(tenant), loadPlugin(tenant, id)]);
  if (!loaded.isAllowed) return <Denied permission={loaded.permission} />;
  const plugin = loaded.value;
  // Of what has been withdrawn nothing is known but what hangs on it.
  const shown: readonly (typeof TABS)[number][] = plugin.state === 'withdrawn' ? ['usage'] : TABS;
  const tab = shown.find((known) => known === oneOf(search.tab)) ?? shown[0] ?? 'overview';
  const tabs = shown.map((key) => ({
    key,
    href: `/${tenant}/marketplace/${plugin.id}${key === shown[0] ? '' : `?tab=${key}`}`,
    label: t(key),
  }));
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <PluginHead plugin={plugin} />
      <div className="px-4 pt-3">
        <TabLinks label={t('label')} tabs={tabs} current={tab} />
      </div>
      <div className="flex max-w-[60rem] flex-col gap-6 px-4 pb-10 [&>section:first-child]:border-t-0">
        {tab === 'overview' ? <PluginOverview tenantSlug={tenant} plugin={plugin} /> : null}
        {tab === 'permissions' ? <PluginPermissions plugin={plugin} /> : null}
        {tab === 'versions' ? <PluginVersions plugin={plugin} /> : null}
        {tab === 'config' ? <PluginSettings plugin={plugin} /> : null}
        {tab === 'usage' ? (
          <PluginUsage tenantSlug={tenant} plugin={plugin} canInstall={me.permissions.includes('plugin:install')} />
        ) : null}
      </div>
    </div>
  );
}
