import { redirect } from 'next/navigation';
import { Denied } from '#components/shell/denied.tsx';
import { openSettings, SETTINGS_PLACES } from '#components/shell/settings-places.ts';
import { loadShell } from '../page-data.ts';

/** Settings open at the first section that the person may see. */
export default async function SettingsPage({ params }: { params: Promise<{ tenant: string }> }) {
  const { tenant } = await params;
  const me = await loadShell(tenant);
  const first = openSettings(me.permissions)[0];
  if (first) redirect(`/${tenant}/settings/${first.key}`);
  return (
    <Denied permission={SETTINGS_PLACES.map(({ permissions }) => permissions[0]).join(', ')} role={me.role.name} tenant={me.tenant.name} />
  );
}
