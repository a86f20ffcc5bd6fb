'use client';

import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { type ReactNode, useState } from 'react';
import { FailureNotice } from '#components/api/failure-notice.tsx';
import { type RequestFailure, requestDone, toRequestFailure } from '#components/api/request.ts';
import { Button } from '#components/ui/button.tsx';
import { Dialog, DialogClose, DialogPanel, DialogTrigger } from '#components/ui/dialog.tsx';
import { Field } from '#components/ui/field.tsx';
import { Textarea } from '#components/ui/input.tsx';

interface RequestDialogProps {
  tenantSlug: string;
  pluginId: string;
  name: string;
  trigger: ReactNode;
}

/** Asks those who may install for a plugin, with a reason. */
export function RequestDialog({ tenantSlug, pluginId, name, trigger }: RequestDialogProps) {
  const t = useTranslations('marketplace.request');
  const router = useRouter();
  const [isOpen, setIsOpen] = useState(false);
  const [reason, setReason] = useState('');
  const [isTried, setIsTried] = useState(false);
  const [isSending, setIsSending] = useState(false);
  const [failure, setFailure] = useState<RequestFailure | null>(null);
  const send = async () => {
    setIsTried(true);
    if (reason.trim() === '') return;
    setIsSending(true);
    setFailure(null);
    try {
      await requestDone(`/api/t/${tenantSlug}/marketplace/${pluginId}/requests`, { method: 'POST', body: { reason: reason.trim() } });
      setIsOpen(false);
      router.refresh();
    } catch (thrown) {
      setFailure(toRequestFailure(thrown));
    }
    setIsSending(false);
  };
  return (
    <Dialog open={isOpen} onOpenChange={setIsOpen}>
      <DialogTrigger asChild>{trigger}</DialogTrigger>
      <DialogPanel title={t('title', { name })} description={t('description')}>
        <form
          noValidate
          className="flex flex-col gap-3"
          onSubmit={(event) => {
            event.preventDefault();
            void send();
          }}
        >
          <Field label={t('reason')} problem={isTried && reason.trim() === '' ? t('empty') : undefined}>
            {(control) => (
              <Textarea {...control} rows={3} maxLength={1000} value={reason} onChange={(event) => setReason(event.target.value)} />
            )}
          </Field>
          {failure ? <FailureNotice failure={failure} /> : null}
          <div className="flex flex-wrap justify-end gap-2">
            <DialogClose asChild>
              <Button look="quiet">{t('cancel')}</Button>
            </DialogClose>
            <Button type="submit" look="primary" disabled={isSending}>
              {isSending ? t('sending') : t('send')}
            </Button>
          </div>
        </form>
      </DialogPanel>
    </Dialog>
  );
}
