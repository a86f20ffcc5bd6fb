'use client';

import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { ConfirmDialog } from '#components/api/confirm-dialog.tsx';
import { FailureNotice } from '#components/api/failure-notice.tsx';
import { requestDone, requestJson } from '#components/api/request.ts';
import { useSending } from '#components/api/use-sending.ts';
import { useMe } from '#components/shell/me-scope.tsx';
import { SettingsPage } from '#components/shell/settings-page.tsx';
import { Button } from '#components/ui/button.tsx';
import { EmptyState } from '#components/ui/empty-state.tsx';
import { StateChip } from '#components/ui/state-chip.tsx';
import type { Tone } from '#components/ui/state-glyph.tsx';
import { TimeAgo } from '#components/ui/time.tsx';
import { begunSignInView, type McpAccountView } from '#lib/mcp/contract.ts';

const TONES: { readonly [State in McpAccountView['state']]: Tone } = { none: 'queued', connected: 'ok', lapsed: 'waiting' };

const FAILURES = ['unknown', 'declined', 'refused'] as const;

interface ConnectedAccountsProps {
  accounts: readonly McpAccountView[];
  /** Name of the server that a sign-in has just ended at. */
  connected: string | null;
  /** How a sign-in has just failed. */
  failed: string | null;
}

/** The reader's own accounts at MCP servers where each person signs in. */
export function ConnectedAccounts({ accounts, connected, failed }: ConnectedAccountsProps) {
  const t = useTranslations('mcp.accounts');
  const name = accounts.find((account) => account.name === connected && account.state === 'connected')?.name;
  const failure = FAILURES.find((one) => one === failed);
  return (
    <SettingsPage title={t('title')} intro={t('intro')} isWide>
      {name !== undefined || failure !== undefined ? (
        <p role="status" className={failure ? 'text-ui text-destructive' : 'text-ui'}>
          {failure ? t(`failures.${failure}`) : t('justConnected', { name: name ?? '' })}
        </p>
      ) : null}
      {accounts.length === 0 ? (
        <EmptyState title={t('none')}>{t('noneBody')}</EmptyState>
      ) : (
        <ul className="border-t border-border" aria-label={t('title')}>
          {accounts.map((account) => (
            <AccountRow key={account.server} account={account} />
          ))}
        </ul>
      )}
    </SettingsPage>
  );
}

function AccountRow({ account }: { account: McpAccountView }) {
  const t = useTranslations('mcp.accounts');
  const { tenant } = useMe();
  const router = useRouter();
  const { isSending, failure, send } = useSending();
  const path = `/api/t/${tenant.slug}/mcp/accounts/${account.server}`;
  const { name, state, wantsMore } = account;
  const connect = () =>
    send(async () => {
      const { authorizationUrl } = await requestJson(path, begunSignInView, { method: 'POST' });
      window.location.assign(authorizationUrl);
    });
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-border py-3">
      <div className="flex min-w-0 flex-1 basis-64 flex-col gap-1">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className="font-mono text-chat font-semibold break-all">{name}</span>
          <StateChip tone={wantsMore ? 'waiting' : TONES[state]}>{t(wantsMore ? 'states.wantsMore' : `states.${state}`)}</StateChip>
        </p>
        <p className="flex flex-wrap gap-x-4 gap-y-0.5 text-meta text-muted-foreground">
          <code className="font-mono break-all">{account.url}</code>
          {account.connectedAt ? (
            <span>
              {t('since')} <TimeAgo at={account.connectedAt} />
            </span>
          ) : null}
          {account.scope ? (
            <span>
              {t('rights')} <code className="font-mono break-words">{account.scope}</code>
            </span>
          ) : null}
        </p>
        {failure ? <FailureNotice failure={failure} /> : null}
      </div>
      <div className="flex flex-wrap gap-2">
        {state === 'connected' && !wantsMore ? null : (
          <Button look={state === 'none' ? 'primary' : 'outline'} size="small" disabled={isSending} onClick={() => void connect()}>
            {isSending ? t('leading') : t(state === 'none' ? 'connect' : 'again', { name })}
          </Button>
        )}
        {state === 'connected' ? (
          <ConfirmDialog
            trigger={
              <Button look="quiet" size="small" className="text-destructive">
                {t('disconnect.open', { name })}
              </Button>
            }
            title={t('disconnect.title', { name })}
            description={t('disconnect.body')}
            confirm={t('disconnect.confirm')}
            confirming={t('disconnect.doing')}
            keep={t('disconnect.keep')}
            onConfirm={() => requestDone(path, { method: 'DELETE' })}
            onDone={() => router.refresh()}
          />
        ) : null}
      </div>
    </li>
  );
}
