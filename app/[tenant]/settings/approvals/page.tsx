import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { ApprovalPolicies } from '#components/approvals/approval-policies.tsx';
import { GrantList } from '#components/approvals/grant-list.tsx';
import { CapabilityTitleScope } from '#components/capabilities/capability-titles.tsx';
import { Denied } from '#components/shell/denied.tsx';
import { SettingsPage } from '#components/shell/settings-page.tsx';
import { loadApprovalGrants, loadApprovalPolicies, loadCapabilities, loadShell } from '../../page-data.ts';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('approvals.settings');
  return { title: t('title') };
}

export default async function ApprovalsPage({ params }: { params: Promise<{ tenant: string }> }) {
  const { tenant } = await params;
  const [me, policies, grants, titles, t] = await Promise.all([
    loadShell(tenant),
    loadApprovalPolicies(tenant),
    loadApprovalGrants(tenant),
    loadCapabilities(tenant),
    getTranslations('approvals.settings'),
  ]);
  if (!policies.isAllowed) return <Denied permission={policies.permission} />;
  return (
    <SettingsPage title={t('title')} intro={t('lead')} isWide>
      <ApprovalPolicies policies={policies.value} canManage={me.permissions.includes('approval:manage')} />
      <CapabilityTitleScope titles={titles}>
        <GrantList grants={grants.isAllowed ? grants.value : []} />
      </CapabilityTitleScope>
    </SettingsPage>
  );
}
