'use client';

import { Trash2Icon } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { FailureNotice } from '#components/api/failure-notice.tsx';
import { type RequestFailure, requestDone, toRequestFailure } from '#components/api/request.ts';
import { useMe } from '#components/shell/me-scope.tsx';
import { Button } from '#components/ui/button.tsx';
import { Dialog, DialogClose, DialogPanel, DialogTrigger } from '#components/ui/dialog.tsx';
import type { FactView } from '#lib/knowledge/contract.ts';

/** Forgets a fact after a question that shows it. */
export function ForgetFact({ fact, name }: { fact: FactView; name: string }) {
  const t = useTranslations('memory.forget');
  const { tenant } = useMe();
  const router = useRouter();
  const [isForgetting, setIsForgetting] = useState(false);
  const [failure, setFailure] = useState<RequestFailure | null>(null);
  const forget = async () => {
    setIsForgetting(true);
    setFailure(null);
    try {
      await requestDone(`/api/t/${tenant.slug}/facts/${fact.id}`, { method: 'DELETE' });
      router.refresh();
    } catch (thrown) {
      const refused = toRequestFailure(thrown);
      // Forgotten elsewhere meanwhile: what was asked for is so.
      if (refused.code === 'not_found') router.refresh();
      else setFailure(refused);
      setIsForgetting(false);
    }
  };
  return (
    <Dialog>
      <DialogTrigger asChild>
        <Button look="quiet" size="square" aria-label={t('open', { text: name })} title={t('open', { text: name })}>
          <Trash2Icon aria-hidden />
        </Button>
      </DialogTrigger>
      <DialogPanel title={t('title')} description={t('body')}>
        <p className="max-h-40 overflow-auto border-s-2 border-border ps-3 text-chat break-words whitespace-pre-wrap">{fact.text}</p>
        {failure ? <FailureNotice failure={failure} /> : null}
        <div className="flex justify-end gap-2">
          <DialogClose asChild>
            <Button look="quiet">{t('keep')}</Button>
          </DialogClose>
          <Button look="danger" disabled={isForgetting} onClick={() => void forget()}>
            {isForgetting ? t('forgetting') : t('confirm')}
          </Button>
        </div>
      </DialogPanel>
    </Dialog>
  );
}
