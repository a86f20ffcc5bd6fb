'use client';

import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { ConfirmDialog } from '#components/api/confirm-dialog.tsx';
import { FailureNotice } from '#components/api/failure-notice.tsx';
import { requestDone } from '#components/api/request.ts';
import { useSending } from '#components/api/use-sending.ts';
import { useMe } from '#components/shell/me-scope.tsx';
import { SettingsPage } from '#components/shell/settings-page.tsx';
import { Button } from '#components/ui/button.tsx';
import { Fact, Facts } from '#components/ui/facts.tsx';
import { Section } from '#components/ui/section.tsx';
import { Switch } from '#components/ui/switch.tsx';
import { TimeAgo } from '#components/ui/time.tsx';
import type { McpServerDetail } from '#lib/mcp/contract.ts';
import { HandshakeLog } from './handshake-log.tsx';
import { ServerDialog } from './server-dialog.tsx';
import { ServerState } from './server-state.tsx';
import { ToolList } from './tool-list.tsx';

/** One MCP server: whether it answers and how that went, what it offers, what changed, and what may be done with it. */
export function McpServerPage({ server, canManage }: { server: McpServerDetail; canManage: boolean }) {
  const t = useTranslations('mcp');
  const { tenant } = useMe();
  const router = useRouter();
  const checking = useSending();
  const switching = useSending();
  const path = `/api/t/${tenant.slug}/mcp/servers/${server.id}`;
  const check = async () => {
    await checking.send(() => requestDone(`${path}/check`, { method: 'POST' }));
    router.refresh();
  };
  const setEnabled = async (isEnabled: boolean) => {
    if (await switching.send(() => requestDone(path, { method: 'PATCH', body: { isEnabled } }))) router.refresh();
  };
  const actions = canManage ? (
    <>
      <Button size="small" onClick={() => void check()} disabled={checking.isSending || !server.isEnabled}>
        {checking.isSending ? t('checking') : t('check')}
      </Button>
      <ServerDialog server={server} programs={[]} trigger={<Button size="small">{t('edit')}</Button>} />
      <ConfirmDialog
        trigger={
          <Button look="quiet" size="small" className="text-destructive">
            {t('remove.open')}
          </Button>
        }
        title={t('remove.title', { name: server.name })}
        description={t('remove.body')}
        confirm={t('remove.confirm')}
        confirming={t('remove.removing')}
        keep={t('remove.keep')}
        onConfirm={() => requestDone(path, { method: 'DELETE' })}
        onDone={() => {
          router.push(`/${tenant.slug}/settings/mcp`);
          router.refresh();
        }}
      />
    </>
  ) : null;
  return (
    <SettingsPage title={<span className="font-mono break-all">{server.name}</span>} action={actions} isWide>
      <div className="flex flex-col gap-3">
        <div className="flex flex-wrap items-center gap-3" role="status">
          <ServerState server={server} />
          {server.isEnabled && server.error ? <span className="text-ui break-words text-destructive">{server.error}</span> : null}
          {server.isEnabled && server.state === 'connected' && server.tools.listed === 0 ? (
            <span className="text-ui text-warn">{t('noTools')}</span>
          ) : null}
        </div>
        {checking.failure ? <FailureNotice failure={checking.failure} /> : null}
        <About server={server} />
        {canManage ? (
          <Switch
            label={t('enabled')}
            hint={t('enabledHint')}
            isOn={server.isEnabled}
            isDisabled={switching.isSending}
            onChange={(isOn) => void setEnabled(isOn)}
          />
        ) : null}
        {switching.failure ? <FailureNotice failure={switching.failure} /> : null}
      </div>
      <Section title={t('tools.title')} intro={t('tools.intro')}>
        <ToolList server={server} canManage={canManage} />
      </Section>
      <Section title={t('handshake.title')}>
        <HandshakeLog server={server} />
      </Section>
    </SettingsPage>
  );
}

function About({ server }: { server: McpServerDetail }) {
  const t = useTranslations('mcp');
  const { tenant } = useMe();
  return (
    <Facts>
      <Fact name={t('facts.reach')}>
        {server.url === null ? (
          t('facts.program', { program: server.program ?? '' })
        ) : (
          <code className="font-mono break-all">{server.url}</code>
        )}
      </Fact>
      {server.headerNames.length > 0 ? (
        <Fact name={t('facts.headers')}>
          <code className="font-mono break-all">{server.headerNames.join(', ')}</code>
        </Fact>
      ) : null}
      {server.signIn ? (
        <Fact name={t('facts.signIn')}>
          {server.signIn.isGiven && server.signIn.clientId ? t('facts.signInIs', { client: server.signIn.clientId }) : t('facts.signInOwn')}
          {' · '}
          <Link href={`/${tenant.slug}/settings/accounts`} className="underline">
            {t('accounts.title')}
          </Link>
        </Fact>
      ) : null}
      {server.serverName ? (
        <Fact name={t('facts.server')}>
          {t('facts.serverIs', { name: server.serverName, version: server.serverVersion ?? '', protocol: server.protocolVersion ?? '' })}
        </Fact>
      ) : null}
      <Fact name={t('facts.timeout')}>{t('facts.seconds', { seconds: server.timeoutMs / 1000 })}</Fact>
      {server.lastCheckAt ? (
        <Fact name={t('facts.checked')}>
          <TimeAgo at={server.lastCheckAt} />
          {server.nextCheckAt ? (
            <span className="text-muted-foreground">
              {' · '}
              {t('next')} <TimeAgo at={server.nextCheckAt} />
            </span>
          ) : null}
        </Fact>
      ) : null}
      {server.calls.count > 0 ? (
        <Fact name={t('facts.calls')}>
          {t('calls', { count: server.calls.count, failed: server.calls.failed })}
          {server.calls.p95Ms === null ? null : ` · ${t('p95', { ms: server.calls.p95Ms })}`}
        </Fact>
      ) : null}
      {server.lastDiff ? (
        <Fact name={t('facts.diff')}>
          <span className="font-mono">{countsOf(server.lastDiff)}</span> <TimeAgo at={server.lastDiff.at} />
          <span className="block text-meta break-words text-muted-foreground">{namesOf(server.lastDiff)}</span>
        </Fact>
      ) : null}
    </Facts>
  );
}

function countsOf({ added, removed, changed }: NonNullable<McpServerDetail['lastDiff']>): string {
  return `+${added.length} −${removed.length} ~${changed.length}`;
}

/** A few of them by name; a first list names all its tools below anyway. */
function namesOf({ added, removed, changed }: NonNullable<McpServerDetail['lastDiff']>): string {
  const all = [...added.map((name) => `+${name}`), ...removed.map((name) => `−${name}`), ...changed.map((name) => `~${name}`)];
  return all.length > 8 ? `${all.slice(0, 8).join(' ')} …` : all.join(' ');
}
