import { PlusIcon } from 'lucide-react';
import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { Denied } from '#components/shell/denied.tsx';
import { SettingsPage } from '#components/shell/settings-page.tsx';
import { NewRole } from '#components/tenancy/new-role.tsx';
import { RolesMatrix } from '#components/tenancy/roles-matrix.tsx';
import { Button } from '#components/ui/button.tsx';
import { loadRoles, loadShell } from '../../page-data.ts';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('people.title');
  return { title: t('roles') };
}

export default async function RolesPage({ params }: { params: Promise<{ tenant: string }> }) {
  const { tenant } = await params;
  const [me, roles, t] = await Promise.all([loadShell(tenant), loadRoles(tenant), getTranslations('people')]);
  if (!roles.isAllowed) return <Denied permission={roles.permission} />;
  const canManage = me.permissions.includes('role:manage');
  const add = (
    <NewRole
      roles={roles.value.items}
      from={null}
      trigger={
        <Button>
          <PlusIcon aria-hidden />
          {t('roles.add')}
        </Button>
      }
    />
  );
  return (
    <SettingsPage title={t('title.roles')} intro={t('roles.lead')} action={canManage ? add : null} isWide>
      <RolesMatrix roles={roles.value.items} canManage={canManage} />
    </SettingsPage>
  );
}
