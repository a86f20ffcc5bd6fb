import { redirect } from 'next/navigation';
import { loadShell } from './page-data.ts';

/** A workspace opens at the first place its reader may go to. */
export default async function TenantPage({ params }: { params: Promise<{ tenant: string }> }) {
  const { tenant } = await params;
  const { permissions } = await loadShell(tenant);
  redirect(permissions.includes('conversation:read') ? `/${tenant}/chat` : `/${tenant}/runs`);
}
