'use client';

import { useRouter } from 'next/navigation';
import { useFormatter, useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { ConfirmDialog } from '#components/api/confirm-dialog.tsx';
import { FailureNotice } from '#components/api/failure-notice.tsx';
import { requestDone } from '#components/api/request.ts';
import { useSending } from '#components/api/use-sending.ts';
import { Button } from '#components/ui/button.tsx';
import { EmptyState } from '#components/ui/empty-state.tsx';
import { StateChip } from '#components/ui/state-chip.tsx';
import { TimeAgo } from '#components/ui/time.tsx';
import type { OperatedTenantView } from '#lib/tenancy/contract.ts';

/** Every workspace with its counts, and what an operator can do with it. */
export function TenantList({ tenants }: { tenants: readonly OperatedTenantView[] }) {
  const t = useTranslations('operator.tenants');
  if (tenants.length === 0) return <EmptyState title={t('none')}>{t('noneBody')}</EmptyState>;
  return (
    <ul aria-label={t('label')} className="border-t border-border">
      {tenants.map((tenant) => (
        <TenantRow key={tenant.id} tenant={tenant} />
      ))}
    </ul>
  );
}

function TenantRow({ tenant }: { tenant: OperatedTenantView }) {
  const t = useTranslations('operator.tenants');
  const format = useFormatter();
  return (
    <li className="flex min-h-14 flex-wrap items-center gap-x-4 gap-y-1 border-b border-border py-2 text-ui">
      <div className="min-w-0 flex-1 basis-44">
        <p className="truncate font-medium">{tenant.name}</p>
        <code className="block truncate font-mono text-meta text-muted-foreground">/{tenant.slug}</code>
      </div>
      <span className="w-24">
        {tenant.suspendedAt ? <StateChip tone="stopped">{t('suspended')}</StateChip> : <StateChip tone="ok">{t('active')}</StateChip>}
      </span>
      <dl className="flex flex-wrap gap-x-4 gap-y-1 max-lg:order-last max-lg:basis-full">
        <Count name={t('members')}>{format.number(tenant.members)}</Count>
        <Count name={t('chats')}>{format.number(tenant.chats)}</Count>
        <Count name={t('runs')}>{format.number(tenant.runs)}</Count>
        <Count name={t('open')}>{format.number(tenant.openRuns)}</Count>
        <Count name={t('documents')}>{format.number(tenant.documents)}</Count>
        <Count name={t('last')}>{tenant.lastRunAt ? <TimeAgo at={tenant.lastRunAt} /> : t('never')}</Count>
      </dl>
      <TenantActions tenant={tenant} />
    </li>
  );
}

function Count({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-meta text-muted-foreground">{name}</dt>
      <dd className="tabular">{children}</dd>
    </div>
  );
}

function TenantActions({ tenant }: { tenant: OperatedTenantView }) {
  const t = useTranslations('operator.tenants');
  const router = useRouter();
  const { isSending, failure, send } = useSending();
  const { name } = tenant;
  const path = `/api/operator/tenants/${tenant.id}`;
  const suspend = (suspended: boolean) => requestDone(path, { method: 'PATCH', body: { suspended } });
  const resume = async () => {
    if (await send(() => suspend(false))) router.refresh();
  };
  return (
    <div className="flex flex-wrap items-center gap-1">
      {tenant.suspendedAt ? (
        <Button look="quiet" size="small" disabled={isSending} onClick={() => void resume()} aria-label={t('resume.openNamed', { name })}>
          {isSending ? t('resume.busy') : t('resume.open')}
        </Button>
      ) : (
        <ConfirmDialog
          trigger={
            <Button look="quiet" size="small" aria-label={t('suspend.openNamed', { name })}>
              {t('suspend.open')}
            </Button>
          }
          title={t('suspend.title', { name })}
          description={t('suspend.body')}
          confirm={t('suspend.confirm')}
          confirming={t('suspend.busy')}
          keep={t('suspend.keep')}
          onConfirm={() => suspend(true)}
          onDone={() => router.refresh()}
        />
      )}
      <ConfirmDialog
        trigger={
          <Button look="quiet" size="small" className="text-destructive" aria-label={t('delete.openNamed', { name })}>
            {t('delete.open')}
          </Button>
        }
        title={t('delete.title', { name })}
        description={t('delete.body')}
        typed={{ text: tenant.slug, label: t('delete.typed') }}
        confirm={t('delete.confirm')}
        confirming={t('delete.busy')}
        keep={t('delete.keep')}
        onConfirm={() => requestDone(`${path}?confirm=${encodeURIComponent(tenant.slug)}`, { method: 'DELETE' })}
        onDone={() => router.refresh()}
      />
      {failure ? <FailureNotice failure={failure} /> : null}
    </div>
  );
}
