'use client';

import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { type ReactNode, useState } from 'react';
import { FailureNotice } from '#components/api/failure-notice.tsx';
import { type RequestFailure, requestDone, toRequestFailure } from '#components/api/request.ts';
import { Button } from '#components/ui/button.tsx';
import { Dialog, DialogClose, DialogPanel, DialogTrigger } from '#components/ui/dialog.tsx';
import type { DocumentView } from '#lib/knowledge/contract.ts';

/** Removes a document after a question that says what is lost. */
export function DeleteDocument({ tenantSlug, document, trigger }: { tenantSlug: string; document: DocumentView; trigger: ReactNode }) {
  const t = useTranslations('knowledge.remove');
  const router = useRouter();
  const [isRemoving, setIsRemoving] = useState(false);
  const [failure, setFailure] = useState<RequestFailure | null>(null);
  const remove = async () => {
    setIsRemoving(true);
    setFailure(null);
    try {
      await requestDone(`/api/t/${tenantSlug}/documents/${document.id}`, { method: 'DELETE' });
      router.push(`/${tenantSlug}/knowledge`);
      router.refresh();
    } catch (thrown) {
      setFailure(toRequestFailure(thrown));
      setIsRemoving(false);
    }
  };
  return (
    <Dialog>
      <DialogTrigger asChild>
        <Button look="quiet" size="square" aria-label={t('open', { title: document.title })} title={t('confirm')}>
          {trigger}
        </Button>
      </DialogTrigger>
      <DialogPanel title={t('title')} description={t('body', { title: document.title })}>
        {failure ? <FailureNotice failure={failure} /> : null}
        <div className="flex justify-end gap-2">
          <DialogClose asChild>
            <Button look="quiet">{t('keep')}</Button>
          </DialogClose>
          <Button look="danger" disabled={isRemoving} onClick={() => void remove()}>
            {isRemoving ? t('removing') : t('confirm')}
          </Button>
        </div>
      </DialogPanel>
    </Dialog>
  );
}
