import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { McpServers } from '#components/mcp/mcp-servers.tsx';
import { Denied } from '#components/shell/denied.tsx';
import { loadMcpServers, loadShell } from '../../page-data.ts';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('mcp');
  return { title: t('title') };
}

export default async function McpPage({ params }: { params: Promise<{ tenant: string }> }) {
  const { tenant } = await params;
  const [me, servers] = await Promise.all([loadShell(tenant), loadMcpServers(tenant)]);
  if (!servers.isAllowed) return <Denied permission={servers.permission} />;
  return <McpServers servers={servers.value} canManage={me.permissions.includes('mcp:manage')} />;
}
