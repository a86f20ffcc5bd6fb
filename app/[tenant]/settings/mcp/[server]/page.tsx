import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { McpServerPage } from '#components/mcp/mcp-server-page.tsx';
import { Denied } from '#components/shell/denied.tsx';
import { loadMcpServer, loadShell } from '../../../page-data.ts';

interface PageProps {
  params: Promise<{ tenant: string; server: string }>;
}

export async function generateMetadata({ params }: PageProps): Promise<Metadata> {
  const { tenant, server } = await params;
  const [t, found] = await Promise.all([getTranslations('mcp'), loadMcpServer(tenant, server)]);
  return { title: found.isAllowed ? found.value.name : t('title') };
}

export default async function McpServerDetailPage({ params }: PageProps) {
  const { tenant, server } = await params;
  const [me, found] = await Promise.all([loadShell(tenant), loadMcpServer(tenant, server)]);
  if (!found.isAllowed) return <Denied permission={found.permission} />;
  return <McpServerPage server={found.value} canManage={me.permissions.includes('mcp:manage')} />;
}
