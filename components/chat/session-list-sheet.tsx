'use client';

import { MessagesSquareIcon } from 'lucide-react';
import { useSearchParams } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Dialog, DialogTrigger, SheetPanel } from '#components/ui/dialog.tsx';
import { useMedia } from '#components/ui/use-media.ts';
import { SessionList } from './session-list.tsx';

/** The list of chats behind a button, where there is no room for it beside the chat. */
export function SessionListSheet() {
  const t = useTranslations('chat.list');
  const isWanted = useSearchParams().get('list') !== null;
  const isNarrow = useMedia('not all and (min-width: 64rem)');
  // What the reader did last counts; before that, what the address asks for.
  const [chosen, setChosen] = useState<boolean | null>(null);
  const isOpen = chosen ?? (isWanted && isNarrow);
  return (
    <Dialog open={isOpen} onOpenChange={setChosen}>
      <DialogTrigger asChild>
        <Button look="quiet" size="square" className="lg:hidden" aria-label={t('open')}>
          <MessagesSquareIcon aria-hidden />
        </Button>
      </DialogTrigger>
      <SheetPanel title={t('title')}>
        <SessionList onGo={() => setChosen(false)} />
      </SheetPanel>
    </Dialog>
  );
}
