import { redirect } from 'next/navigation';
import { Denied } from '#components/shell/denied.tsx';
import { openSettings } from '#components/shell/settings-places.ts';
import { loadShell } from '../page-data.ts';

/** Settings open at the first section that the person may see. */
export default async function SettingsPage({ params }: { params: Promise<{ tenant: string }> }) {
  const { tenant } = await params;
  const me = await loadShell(tenant);
  const first = openSettings(me.permissions)[0];
  if (first) redirect(`/${tenant}/settings/${first.key}`);
  // The least of what opens one of them.
  return <Denied permission="role:read" />;
}
