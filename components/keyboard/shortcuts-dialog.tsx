'use client';

import { useTranslations } from 'next-intl';
import { Dialog, DialogPanel } from '#components/ui/dialog.tsx';
import { useFocusReturn } from '#components/ui/use-focus-return.ts';
import { ShortcutList } from './shortcut-list.tsx';
import { SingleKeysSwitch } from './single-keys-switch.tsx';

/** The keys, over the page on which somebody asked for them. */
export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const t = useTranslations('keyboard');
  const returnFocus = useFocusReturn();
  return (
    <Dialog open onOpenChange={(isOpen) => (isOpen ? undefined : onClose())}>
      <DialogPanel title={t('title')} onCloseAutoFocus={returnFocus} className="w-[min(46rem,calc(100vw-2rem))] gap-5">
        <ShortcutList />
        <SingleKeysSwitch />
      </DialogPanel>
    </Dialog>
  );
}
