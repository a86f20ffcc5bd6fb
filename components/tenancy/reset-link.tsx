'use client';

import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { FailureNotice } from '#components/api/failure-notice.tsx';
import { requestJson } from '#components/api/request.ts';
import { useSending } from '#components/api/use-sending.ts';
import { Button } from '#components/ui/button.tsx';
import { Dialog, DialogPanel, DialogTrigger } from '#components/ui/dialog.tsx';
import { resetLinkView } from '#lib/tenancy/contract.ts';
import { ShownOnce } from './shown-once.tsx';

/** Makes a link by which a person sets a new password, and shows it the one time it can be shown. `path` is the route that makes it. */
export function ResetLink({ name, path }: { name: string; path: string }) {
  const t = useTranslations('people.members.reset');
  const { isSending, failure, send } = useSending();
  const [isOpen, setIsOpen] = useState(false);
  const [made, setMade] = useState<string | null>(null);
  const change = (opens: boolean) => {
    setIsOpen(opens);
    if (opens) setMade(null);
  };
  const make = () => send(async () => setMade((await requestJson(path, resetLinkView, { method: 'POST' })).url));
  return (
    <Dialog open={isOpen} onOpenChange={change}>
      <DialogTrigger asChild>
        <Button look="quiet" size="small" aria-label={t('openNamed', { name })}>
          {t('open')}
        </Button>
      </DialogTrigger>
      <DialogPanel
        title={t('title', { name })}
        description={made === null ? t('body') : t('made')}
        // A click beside it would lose a link that is shown once.
        onPointerDownOutside={(event) => event.preventDefault()}
      >
        {failure?.code === 'rights_exceeded' ? (
          <p role="alert" className="text-ui">
            {t('beyond')}
          </p>
        ) : failure ? (
          <FailureNotice failure={failure} />
        ) : null}
        {made === null ? (
          <Button look="primary" className="self-end" disabled={isSending} onClick={() => void make()}>
            {isSending ? t('making') : t('make')}
          </Button>
        ) : (
          <ShownOnce value={made} words={{ copy: t('copy'), done: t('done') }} onDone={() => change(false)} />
        )}
      </DialogPanel>
    </Dialog>
  );
}
