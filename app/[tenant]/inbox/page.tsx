import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { InboxList } from '#components/approvals/inbox-list.tsx';
import { CapabilityTitleScope } from '#components/capabilities/capability-titles.tsx';
import { Denied } from '#components/shell/denied.tsx';
import { PageHead } from '#components/shell/page-head.tsx';
import { loadCapabilities, loadInbox, loadPluginRequests, loadShell } from '../page-data.ts';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('approvals.inbox');
  return { title: t('title') };
}

export default async function InboxPage({ params }: { params: Promise<{ tenant: string }> }) {
  const { tenant } = await params;
  const [me, inbox, titles, t] = await Promise.all([
    loadShell(tenant),
    loadInbox(tenant),
    loadCapabilities(tenant),
    getTranslations('approvals.inbox'),
  ]);
  if (!inbox.isAllowed) return <Denied permission={inbox.permission} />;
  const requests = me.permissions.includes('plugin:install') ? await loadPluginRequests(tenant) : null;
  return (
    <>
      <PageHead title={t('title')} />
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="max-w-[76ch] px-4 py-4">
          <p className="mb-5 text-ui text-muted-foreground">{t('lead')}</p>
          <CapabilityTitleScope titles={titles}>
            <InboxList initial={inbox.value} requests={requests?.isAllowed ? requests.value.filter(({ state }) => state === 'OPEN') : []} />
          </CapabilityTitleScope>
        </div>
      </div>
    </>
  );
}
