'use client';

import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { ConfirmDialog } from '#components/api/confirm-dialog.tsx';
import { FailureNotice } from '#components/api/failure-notice.tsx';
import { requestDone } from '#components/api/request.ts';
import { useSending } from '#components/api/use-sending.ts';
import { ResetLink } from '#components/tenancy/reset-link.tsx';
import { Button, buttonClasses } from '#components/ui/button.tsx';
import { EmptyState } from '#components/ui/empty-state.tsx';
import { LiveRegion } from '#components/ui/live-region.tsx';
import { PageLinks } from '#components/ui/page-links.tsx';
import { Badge, StateChip } from '#components/ui/state-chip.tsx';
import type { AccountStandPage, AccountStandView } from '#lib/tenancy/contract.ts';

const PATH = '/operator/accounts';

interface AccountListProps {
  page: AccountStandPage;
  filters: { q?: string | undefined; state?: string | undefined; cursor?: string | undefined };
  /** Nobody closes their own: somebody must be left who can undo it. */
  ownUserId: string;
}

/** The accounts of the deployment, and what an operator can do with each. */
export function AccountList({ page, filters: { q, state, cursor }, ownUserId }: AccountListProps) {
  const t = useTranslations('operator.accounts');
  const [said, setSaid] = useState('');
  const here = (from: string | null) => {
    const search = new URLSearchParams(Object.entries({ q, state, cursor: from }).flatMap(([key, value]) => (value ? [[key, value]] : [])));
    return search.size > 0 ? `${PATH}?${search}` : PATH;
  };
  return (
    <>
      <LiveRegion text={said} />
      {page.items.length === 0 ? (
        <EmptyState
          title={t('none')}
          action={
            <Link href={PATH} className={buttonClasses({ look: 'outline' })}>
              {t('clear')}
            </Link>
          }
        >
          {t('noneBody')}
        </EmptyState>
      ) : (
        <ul aria-label={t('label')} className="border-t border-border">
          {page.items.map((account) => (
            <AccountRow key={account.userId} account={account} isOwn={account.userId === ownUserId} onSaid={setSaid} />
          ))}
        </ul>
      )}
      <PageLinks
        first={cursor ? here(null) : null}
        next={page.nextCursor ? here(page.nextCursor) : null}
        words={{ first: t('first'), next: t('older') }}
      />
    </>
  );
}

interface AccountRowProps {
  account: AccountStandView;
  isOwn: boolean;
  onSaid: (text: string) => void;
}

function AccountRow({ account, isOwn, onSaid }: AccountRowProps) {
  const t = useTranslations('operator.accounts');
  const { name, email, disabled, isOperator } = account;
  return (
    <li className="flex min-h-12 flex-wrap items-center gap-x-4 gap-y-1 border-b border-border py-2">
      <div className="min-w-0 flex-1 basis-56">
        <p className="flex min-w-0 items-center gap-2 text-ui font-medium">
          <span className="truncate">{name}</span>
          {isOperator ? <Badge>{t('operator')}</Badge> : null}
          {isOwn ? <Badge>{t('you')}</Badge> : null}
        </p>
        <p className="truncate text-meta text-muted-foreground">{email}</p>
      </div>
      <span className="w-24">
        <StateChip tone={disabled ? 'stopped' : 'ok'}>{disabled ? t('closed') : t('open')}</StateChip>
      </span>
      <div className="flex min-h-8 flex-wrap items-center gap-1 max-md:basis-full md:w-52">
        {disabled ? null : <ResetLink name={name} path={`/api/operator/accounts/${account.userId}/password-reset`} />}
        {isOwn ? null : <Switch account={account} onSaid={onSaid} />}
      </div>
    </li>
  );
}

/** Closes the account, or opens it again. */
function Switch({ account: { userId, name, disabled }, onSaid }: Omit<AccountRowProps, 'isOwn'>) {
  const t = useTranslations('operator.accounts');
  const router = useRouter();
  const { isSending, failure, send } = useSending();
  const set = (isClosed: boolean) => requestDone(`/api/operator/accounts/${userId}`, { method: 'PATCH', body: { disabled: isClosed } });
  const reopen = async () => {
    if (!(await send(() => set(false)))) return;
    onSaid(t('said.reopened', { name }));
    router.refresh();
  };
  if (disabled) {
    return (
      <>
        <Button look="quiet" size="small" disabled={isSending} onClick={() => void reopen()} aria-label={t('reopen.openNamed', { name })}>
          {isSending ? t('reopen.busy') : t('reopen.open')}
        </Button>
        {failure ? <FailureNotice failure={failure} /> : null}
      </>
    );
  }
  return (
    <ConfirmDialog
      trigger={
        <Button look="quiet" size="small" className="text-destructive" aria-label={t('close.openNamed', { name })}>
          {t('close.open')}
        </Button>
      }
      title={t('close.title', { name })}
      description={t('close.body')}
      confirm={t('close.confirm')}
      confirming={t('close.busy')}
      keep={t('close.keep')}
      onConfirm={() => set(true)}
      onDone={() => {
        onSaid(t('said.closed', { name }));
        router.refresh();
      }}
    />
  );
}
