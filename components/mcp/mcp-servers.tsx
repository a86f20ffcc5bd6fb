'use client';

import { PlusIcon } from 'lucide-react';
import Link from 'next/link';
import { useFormatter, useTranslations } from 'next-intl';
import { useMe } from '#components/shell/me-scope.tsx';
import { SettingsPage } from '#components/shell/settings-page.tsx';
import { Button } from '#components/ui/button.tsx';
import { EmptyState } from '#components/ui/empty-state.tsx';
import { Badge } from '#components/ui/state-chip.tsx';
import { TimeAgo } from '#components/ui/time.tsx';
import type { McpServersView, McpServerView } from '#lib/mcp/contract.ts';
import { ServerDialog } from './server-dialog.tsx';
import { ServerState } from './server-state.tsx';

/** The MCP servers of a workspace: what each is worth now, and since when that is known. */
export function McpServers({ servers: { servers, programs }, canManage }: { servers: McpServersView; canManage: boolean }) {
  const t = useTranslations('mcp');
  const add = canManage ? (
    <ServerDialog
      server={null}
      programs={programs}
      trigger={
        <Button look={servers.length === 0 ? 'primary' : 'outline'}>
          <PlusIcon aria-hidden />
          {t('add')}
        </Button>
      }
    />
  ) : null;
  return (
    <SettingsPage title={t('title')} intro={canManage ? t('intro') : t('readOnly')} action={servers.length > 0 ? add : null} isWide>
      {servers.length === 0 ? (
        <EmptyState title={t('empty')} example={t('example')} action={add}>
          {t('emptyBody')}
        </EmptyState>
      ) : (
        <ul className="border-t border-border" aria-label={t('title')}>
          {servers.map((server) => (
            <ServerRow key={server.id} server={server} />
          ))}
        </ul>
      )}
    </SettingsPage>
  );
}

function ServerRow({ server }: { server: McpServerView }) {
  const t = useTranslations('mcp');
  const format = useFormatter();
  const { tenant } = useMe();
  const { calls, tools } = server;
  return (
    <li className="relative flex flex-col gap-1 border-b border-border py-3 hover:bg-foreground/4">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Link href={`/${tenant.slug}/settings/mcp/${server.id}`} className="text-chat font-semibold after:absolute after:inset-0">
          <span className="font-mono">{server.name}</span>
        </Link>
        <Badge>{t(`transports.${server.transport}`)}</Badge>
        <ServerState server={server} />
        {tools.waiting > 0 ? <Badge className="border-warn text-warn">{t('waiting', { count: tools.waiting })}</Badge> : null}
      </div>
      <p className="flex flex-wrap gap-x-4 gap-y-0.5 text-meta text-muted-foreground tabular">
        <span>{t('toolCount', { count: tools.listed })}</span>
        {calls.count > 0 ? (
          <>
            <span>{t('calls', { count: calls.count, failed: calls.failed })}</span>
            {calls.p95Ms === null ? null : <span>{t('p95', { ms: format.number(calls.p95Ms) })}</span>}
          </>
        ) : null}
        {server.lastCheckAt ? (
          <span>
            {t('checked')} <TimeAgo at={server.lastCheckAt} />
          </span>
        ) : null}
        {server.nextCheckAt ? (
          <span>
            {t('next')} <TimeAgo at={server.nextCheckAt} />
          </span>
        ) : null}
      </p>
      {server.isEnabled && server.error ? <p className="text-ui break-words text-destructive">{server.error}</p> : null}
    </li>
  );
}
