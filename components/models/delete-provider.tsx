'use client';

import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { FailureNotice } from '#components/api/failure-notice.tsx';
import { type RequestFailure, requestDone, toRequestFailure } from '#components/api/request.ts';
import { useMe } from '#components/shell/me-scope.tsx';
import { Button } from '#components/ui/button.tsx';
import { Dialog, DialogClose, DialogPanel, DialogTrigger } from '#components/ui/dialog.tsx';
import type { ModelProviderView } from '#lib/models/contract.ts';

/** Deletes a provider after a question that says what goes with it. */
export function DeleteProvider({ provider }: { provider: ModelProviderView }) {
  const t = useTranslations('models.remove');
  const { tenant } = useMe();
  const router = useRouter();
  const [isRemoving, setIsRemoving] = useState(false);
  const [failure, setFailure] = useState<RequestFailure | null>(null);
  const remove = async () => {
    setIsRemoving(true);
    setFailure(null);
    try {
      await requestDone(`/api/t/${tenant.slug}/models/providers/${provider.id}`, { method: 'DELETE' });
      router.refresh();
    } catch (thrown) {
      const refused = toRequestFailure(thrown);
      // Deleted elsewhere meanwhile: what was asked for is so.
      if (refused.code === 'not_found') router.refresh();
      else setFailure(refused);
      setIsRemoving(false);
    }
  };
  return (
    <Dialog>
      <DialogTrigger asChild>
        <Button look="quiet" size="small" className="text-destructive" aria-label={t('openNamed', { name: provider.name })}>
          {t('open')}
        </Button>
      </DialogTrigger>
      <DialogPanel title={t('title', { name: provider.name })} description={provider.isDefault ? t('bodyDefault') : t('body')}>
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
