'use client';

import { useTranslations } from 'next-intl';
import type { McpServerDetail } from '#lib/mcp/contract.ts';
import { ToolRow } from './tool-row.tsx';

/** The tools of a server: what waits for somebody comes first, what is gone comes last. */
export function ToolList({ server, canManage }: { server: McpServerDetail; canManage: boolean }) {
  const t = useTranslations('mcp.tools');
  const tools = [...server.toolList].sort((a, b) => rankOf(a) - rankOf(b));
  if (tools.length === 0) return <p className="text-ui text-muted-foreground">{t('none')}</p>;
  return (
    <ul className="border-t border-border">
      {tools.map((tool) => (
        <ToolRow key={tool.id} serverId={server.id} tool={tool} canManage={canManage} />
      ))}
    </ul>
  );
}

function rankOf({ isListed, pending }: McpServerDetail['toolList'][number]): number {
  if (!isListed) return 2;
  return pending ? 0 : 1;
}
