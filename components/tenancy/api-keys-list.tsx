'use client';

import { useRouter } from 'next/navigation';
import { useNow, useTranslations } from 'next-intl';
import { ConfirmDialog } from '#components/api/confirm-dialog.tsx';
import { requestDone } from '#components/api/request.ts';
import { useMe } from '#components/shell/me-scope.tsx';
import { Button } from '#components/ui/button.tsx';
import { EmptyState } from '#components/ui/empty-state.tsx';
import { PageLinks } from '#components/ui/page-links.tsx';
import { StateChip } from '#components/ui/state-chip.tsx';
import { Time, TimeAgo } from '#components/ui/time.tsx';
import type { ApiKeyPage, ApiKeyView } from '#lib/tenancy/contract.ts';
import { NewApiKey } from './new-api-key.tsx';

/** The keys by which programs act in a workspace, and for whom. */
export function ApiKeysList({ page, cursor }: { page: ApiKeyPage; cursor: string | undefined }) {
  const t = useTranslations('people');
  const { tenant } = useMe();
  if (page.items.length === 0 && !cursor) {
    return (
      <EmptyState title={t('keys.none')} action={<NewApiKey look="primary" />}>
        {t('keys.noneBody')}
      </EmptyState>
    );
  }
  const base = `/${tenant.slug}/settings/api-keys`;
  return (
    <>
      <ul aria-label={t('keys.label', { tenant: tenant.name })} className="border-t border-border">
        {page.items.map((apiKey) => (
          <KeyRow key={apiKey.id} apiKey={apiKey} />
        ))}
      </ul>
      <PageLinks
        first={cursor ? base : null}
        next={page.nextCursor ? `${base}?cursor=${encodeURIComponent(page.nextCursor)}` : null}
        words={{ first: t('first'), next: t('older') }}
      />
    </>
  );
}

function KeyRow({ apiKey }: { apiKey: ApiKeyView }) {
  const t = useTranslations('people.keys');
  const { tenant } = useMe();
  const router = useRouter();
  const now = useNow();
  const { name } = apiKey;
  const state = apiKey.revokedAt ? 'revoked' : apiKey.expiresAt && new Date(apiKey.expiresAt) <= now ? 'expired' : 'active';
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-border py-2 text-ui">
      <div className="min-w-0 flex-1 basis-56">
        <p className="flex min-w-0 items-center gap-2">
          <span className="truncate font-medium">{name}</span>
          <code className="font-mono text-meta whitespace-nowrap text-muted-foreground">{apiKey.hint}…</code>
        </p>
        <details className="text-meta text-muted-foreground">
          <summary className="touchable w-fit cursor-pointer">{t('scopeCount', { count: apiKey.scopes.length })}</summary>
          <code className="font-mono break-words">{apiKey.scopes.join(' ')}</code>
        </details>
      </div>
      <dl className="grid grid-cols-[auto_auto] gap-x-2 text-meta text-muted-foreground max-md:basis-full max-md:justify-start">
        <dt>{t('by')}</dt>
        <dd className="text-foreground">{apiKey.createdBy}</dd>
        <dt>{t('used')}</dt>
        <dd>{apiKey.lastUsedAt ? <TimeAgo at={apiKey.lastUsedAt} /> : t('never')}</dd>
        <dt>{t('expires')}</dt>
        <dd>{apiKey.expiresAt ? <Time at={apiKey.expiresAt} look="day" /> : t('never')}</dd>
      </dl>
      <span className="w-20">
        <StateChip tone={state === 'active' ? 'ok' : 'stopped'}>{t(state)}</StateChip>
      </span>
      <span className="w-20 text-end max-md:text-start">
        {state === 'active' ? (
          <ConfirmDialog
            trigger={
              <Button look="quiet" size="small" className="text-destructive" aria-label={t('revoke.openNamed', { name })}>
                {t('revoke.open')}
              </Button>
            }
            title={t('revoke.title', { name })}
            description={t('revoke.body')}
            confirm={t('revoke.confirm')}
            confirming={t('revoke.busy')}
            keep={t('revoke.keep')}
            onConfirm={() => requestDone(`/api/t/${tenant.slug}/api-keys/${apiKey.id}`, { method: 'DELETE' })}
            onDone={() => router.refresh()}
          />
        ) : null}
      </span>
    </li>
  );
}
