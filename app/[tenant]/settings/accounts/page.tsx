import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { ConnectedAccounts } from '#components/mcp/connected-accounts.tsx';
import { Denied } from '#components/shell/denied.tsx';
import { loadMcpAccounts } from '../../page-data.ts';

interface PageProps {
  params: Promise<{ tenant: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('mcp.accounts');
  return { title: t('title') };
}

export default async function AccountsPage({ params, searchParams }: PageProps) {
  const [{ tenant }, said] = await Promise.all([params, searchParams]);
  const accounts = await loadMcpAccounts(tenant);
  if (!accounts.isAllowed) return <Denied permission={accounts.permission} />;
  return <ConnectedAccounts accounts={accounts.value.accounts} connected={oneOf(said.connected)} failed={oneOf(said.failed)} />;
}

function oneOf(value: string | string[] | undefined): string | null {
  return typeof value === 'string' ? value : null;
}
