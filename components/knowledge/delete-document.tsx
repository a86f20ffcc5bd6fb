'use client';

import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { ConfirmDialog } from '#components/api/confirm-dialog.tsx';
import { requestDone } from '#components/api/request.ts';
import { Button } from '#components/ui/button.tsx';
import type { DocumentView } from '#lib/knowledge/contract.ts';

/** Removes a document after a question that says what is lost. */
export function DeleteDocument({ tenantSlug, document, trigger }: { tenantSlug: string; document: DocumentView; trigger: ReactNode }) {
  const t = useTranslations('knowledge.remove');
  const router = useRouter();
  return (
    <ConfirmDialog
      trigger={
        <Button look="quiet" size="square" aria-label={t('open', { title: document.title })} title={t('confirm')}>
          {trigger}
        </Button>
      }
      title={t('title')}
      description={t('body', { title: document.title })}
      confirm={t('confirm')}
      confirming={t('removing')}
      keep={t('keep')}
      onConfirm={() => requestDone(`/api/t/${tenantSlug}/documents/${document.id}`, { method: 'DELETE' })}
      onDone={() => {
        router.push(`/${tenantSlug}/knowledge`);
        router.refresh();
      }}
    />
  );
}
