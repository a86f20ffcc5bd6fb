import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { NewTenant } from '#components/operator/new-tenant.tsx';
import { OperatorsOnly } from '#components/operator/operators-only.tsx';
import { PurgeList } from '#components/operator/purge-list.tsx';
import { TenantList } from '#components/operator/tenant-list.tsx';
import { SettingsPage } from '#components/shell/settings-page.tsx';
import { Section } from '#components/ui/section.tsx';
import { loadOperatedTenants } from '../operator-data.ts';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('operator.sections');
  return { title: t('tenants') };
}

export default async function OperatorTenantsPage() {
  const [page, t] = await Promise.all([loadOperatedTenants(), getTranslations('operator')]);
  if (!page) return <OperatorsOnly />;
  return (
    <SettingsPage title={t('sections.tenants')} intro={t('lead')} action={<NewTenant />} isWide>
      <TenantList tenants={page.items} />
      <Section title={t('purges.title')} intro={t('purges.intro')}>
        <PurgeList purges={page.purges} source="/api/operator/tenants" emptyText={t('purges.none')} />
      </Section>
    </SettingsPage>
  );
}
