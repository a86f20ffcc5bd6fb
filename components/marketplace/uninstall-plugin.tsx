'use client';

import { useRouter } from 'next/navigation';
import { useLocale, useTranslations } from 'next-intl';
import { ConfirmDialog } from '#components/api/confirm-dialog.tsx';
import { requestDone } from '#components/api/request.ts';
import { Button } from '#components/ui/button.tsx';
import type { PluginView } from '#lib/plugins/contract.ts';

/** Removes a plugin after a question that says what hangs on it; its id is to be typed only where something does. */
export function UninstallPlugin({ tenantSlug, plugin }: { tenantSlug: string; plugin: PluginView }) {
  const t = useTranslations('marketplace.uninstall');
  const locale = useLocale();
  const router = useRouter();
  const { sessions, documents, openRuns, plugins } = plugin.dependents;
  const chats = sessions.reduce((sum, { count }) => sum + count, 0);
  if (plugins.length > 0) {
    return <p className="text-ui text-warn">{t('blocked', { names: plugins.map(({ name }) => name[locale]).join(', ') })}</p>;
  }
  const needsTyping = chats > 0 || documents > 0 || openRuns > 0;
  const path = `/api/t/${tenantSlug}/marketplace/${plugin.id}${needsTyping ? `?confirm=${plugin.id}` : ''}`;
  return (
    <ConfirmDialog
      trigger={<Button look="danger">{t('open')}</Button>}
      title={t('title', { name: plugin.name[locale] })}
      description={t('body')}
      confirm={t('confirm')}
      confirming={t('confirming')}
      keep={t('keep')}
      {...(needsTyping ? { typed: { text: plugin.id, label: t('typed') } } : {})}
      onConfirm={() => requestDone(path, { method: 'DELETE' })}
      onDone={() => {
        router.push(`/${tenantSlug}/marketplace/${plugin.id}`);
        router.refresh();
      }}
    >
      {needsTyping ? (
        <ul className="list-disc ps-5 text-ui">
          {chats > 0 ? <li>{t('chats', { count: chats })}</li> : null}
          {documents > 0 ? <li>{t('documents', { count: documents })}</li> : null}
        </ul>
      ) : null}
    </ConfirmDialog>
  );
}
