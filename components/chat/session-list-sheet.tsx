'use client';

import { MessagesSquareIcon } from 'lucide-react';
import { useSearchParams } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useEffect, useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Dialog, DialogTrigger, SheetPanel } from '#components/ui/dialog.tsx';
import { SessionList } from './session-list.tsx';

/** The list of chats behind a button, where there is no room for it beside the chat. */
export function SessionListSheet() {
  const t = useTranslations('chat.list');
  const [isOpen, setIsOpen] = useState(false);
  const isWanted = useSearchParams().get('list') !== null;
  useEffect(() => {
    if (isWanted && !matchMedia('(min-width: 64rem)').matches) setIsOpen(true);
  }, [isWanted]);
  return (
    <Dialog open={isOpen} onOpenChange={setIsOpen}>
      <DialogTrigger asChild>
        <Button look="quiet" size="square" className="lg:hidden" aria-label={t('open')}>
          <MessagesSquareIcon aria-hidden />
        </Button>
      </DialogTrigger>
      <SheetPanel title={t('title')}>
        <SessionList onGo={() => setIsOpen(false)} />
      </SheetPanel>
    </Dialog>
  );
}
