'use client';

import { Trash2Icon } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { ConfirmDialog } from '#components/api/confirm-dialog.tsx';
import { requestDone } from '#components/api/request.ts';
import { useMe } from '#components/shell/me-scope.tsx';
import { Button } from '#components/ui/button.tsx';
import type { FactView } from '#lib/knowledge/contract.ts';

/** Forgets a fact after a question that shows it. */
export function ForgetFact({ fact, name }: { fact: FactView; name: string }) {
  const t = useTranslations('memory.forget');
  const { tenant } = useMe();
  const router = useRouter();
  return (
    <ConfirmDialog
      trigger={
        <Button look="quiet" size="square" aria-label={t('open', { text: name })} title={t('open', { text: name })}>
          <Trash2Icon aria-hidden />
        </Button>
      }
      title={t('title')}
      description={t('body')}
      confirm={t('confirm')}
      confirming={t('forgetting')}
      keep={t('keep')}
      onConfirm={() => requestDone(`/api/t/${tenant.slug}/facts/${fact.id}`, { method: 'DELETE' })}
      onDone={() => router.refresh()}
    >
      <p className="max-h-40 overflow-auto border-s-2 border-border ps-3 text-chat break-words whitespace-pre-wrap">{fact.text}</p>
    </ConfirmDialog>
  );
}
