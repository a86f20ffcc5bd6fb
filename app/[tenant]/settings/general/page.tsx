import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { Denied } from '#components/shell/denied.tsx';
import { SettingsPage } from '#components/shell/settings-page.tsx';
import { DeleteWorkspace, WorkspaceForm } from '#components/tenancy/general-settings.tsx';
import { loadShell } from '../../page-data.ts';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('people.title');
  return { title: t('general') };
}

export default async function GeneralPage({ params }: { params: Promise<{ tenant: string }> }) {
  const { tenant } = await params;
  const [me, t] = await Promise.all([loadShell(tenant), getTranslations('people.general')]);
  const may = (permission: string) => me.permissions.includes(permission);
  if (!may('tenant:update') && !may('tenant:delete')) return <Denied permission="tenant:update" />;
  return (
    <SettingsPage title={t('title')} intro={t('intro')}>
      {may('tenant:update') ? <WorkspaceForm tenant={me.tenant} /> : null}
      {may('tenant:delete') ? <DeleteWorkspace tenant={me.tenant} /> : null}
    </SettingsPage>
  );
}
