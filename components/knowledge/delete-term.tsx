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
import type { TermView } from '#lib/knowledge/contract.ts';

/** Removes a term after a question that says what is lost. */
export function DeleteTerm({ term }: { term: TermView }) {
  const t = useTranslations('knowledge.terms.remove');
  const { tenant } = useMe();
  const router = useRouter();
  const [isRemoving, setIsRemoving] = useState(false);
  const [failure, setFailure] = useState<RequestFailure | null>(null);
  const remove = async () => {
    setIsRemoving(true);
    setFailure(null);
    try {
      await requestDone(`/api/t/${tenant.slug}/terms/${term.id}`, { method: 'DELETE' });
      router.refresh();
    } catch (thrown) {
      const refused = toRequestFailure(thrown);
      // Removed elsewhere meanwhile: what was asked for is so.
      if (refused.code === 'not_found') router.refresh();
      else setFailure(refused);
      setIsRemoving(false);
    }
  };
  return (
    <Dialog>
      <DialogTrigger asChild>
        <Button look="quiet" size="square" aria-label={t('open', { term: term.term })} title={t('open', { term: term.term })}>
          <Trash2Icon aria-hidden />
        </Button>
      </DialogTrigger>
      <DialogPanel title={t('title', { term: term.term })} description={t('body')}>
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
