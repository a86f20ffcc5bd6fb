import { redirect } from 'next/navigation';
import { findSampleChatPath, loadShell } from './page-data.ts';

interface TenantPageProps {
  params: Promise<{ tenant: string }>;
  searchParams: Promise<{ sample?: string | string[] }>;
}

/** A workspace opens at the first place its reader may go to; the demo, for who comes from outside, at a chat with a run in it. */
export default async function TenantPage({ params, searchParams }: TenantPageProps) {
  const [{ tenant }, { sample }] = await Promise.all([params, searchParams]);
  const { permissions } = await loadShell(tenant);
  if (!permissions.includes('conversation:read')) redirect(`/${tenant}/runs`);
  redirect((sample === undefined ? null : await findSampleChatPath(tenant)) ?? `/${tenant}/chat`);
}
