import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { Denied } from '#components/shell/denied.tsx';
import { SettingsPage } from '#components/shell/settings-page.tsx';
import { GroupRoles } from '#components/tenancy/group-roles.tsx';
import { Fact, Facts } from '#components/ui/facts.tsx';
import { Section } from '#components/ui/section.tsx';
import { loadGroupRoles, loadRoles, loadShell } from '../../page-data.ts';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('people.signIn');
  return { title: t('title') };
}

export default async function SignInSettingsPage({ params }: { params: Promise<{ tenant: string }> }) {
  const { tenant } = await params;
  const [me, settings, roles, t] = await Promise.all([
    loadShell(tenant),
    loadGroupRoles(tenant),
    loadRoles(tenant),
    getTranslations('people.signIn'),
  ]);
  if (!settings.isAllowed) return <Denied permission={settings.permission} />;
  const { provider, groupRoles } = settings.value;
  return (
    <SettingsPage title={t('title')} intro={t('lead')}>
      <Section title={t('provider.title')} {...(provider ? {} : { intro: t('provider.none') })}>
        {provider ? (
          <Facts>
            <Fact name={t('provider.label')}>{provider.label ?? t('provider.unnamed')}</Fact>
            <Fact name={t('provider.issuer')}>
              <span className="break-all">{provider.issuer}</span>
            </Fact>
            <Fact name={t('provider.claim')}>
              <code className="font-mono">{provider.groupsClaim}</code>
            </Fact>
          </Facts>
        ) : null}
      </Section>
      <Section title={t('groups.title')} intro={t('groups.lead')}>
        <GroupRoles
          groupRoles={groupRoles}
          roles={roles.isAllowed ? roles.value.items : []}
          canManage={me.permissions.includes('member:manage')}
        />
      </Section>
    </SettingsPage>
  );
}
