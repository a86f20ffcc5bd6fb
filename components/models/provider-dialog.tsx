'use client';

import { useTranslations } from 'next-intl';
import { type ReactElement, useState } from 'react';
import { Dialog, DialogPanel, DialogTrigger } from '#components/ui/dialog.tsx';
import type { ModelProviderView } from '#lib/models/contract.ts';
import { ProviderForm } from './provider-form.tsx';

/** The provider form in a dialog behind its button. Each opening starts from what is stored. */
export function ProviderDialog({ provider, trigger }: { provider: ModelProviderView | null; trigger: ReactElement }) {
  const t = useTranslations('models.form');
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Dialog open={isOpen} onOpenChange={setIsOpen}>
      <DialogTrigger asChild>{trigger}</DialogTrigger>
      <DialogPanel
        title={provider ? t('editTitle', { name: provider.name }) : t('addTitle')}
        className="w-[min(40rem,calc(100vw-2rem))]"
        // A click beside it would lose what was typed; Escape and the buttons close it.
        onPointerDownOutside={(event) => event.preventDefault()}
      >
        <ProviderForm provider={provider} onDone={() => setIsOpen(false)} />
      </DialogPanel>
    </Dialog>
  );
}
