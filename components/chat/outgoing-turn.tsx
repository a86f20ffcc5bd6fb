'use client';

import { useTranslations } from 'next-intl';
import { FailureNotice } from '#components/api/failure-notice.tsx';
import { Button } from '#components/ui/button.tsx';
import { joinClasses } from '#components/ui/join-classes.ts';
import type { OutgoingMessage } from './outbox.ts';
import { Said } from './turn-view.tsx';

/** A message that is on its way, or that did not get there: then it waits here, whole, to be sent again or edited. */
export function OutgoingTurn({
  message,
  isPinned,
  onAgain,
  onEdit,
}: {
  message: OutgoingMessage;
  isPinned: boolean;
  onAgain: () => void;
  onEdit: () => void;
}) {
  const t = useTranslations('chat.outbox');
  return (
    <article className={joinClasses('scroll-mt-3 pb-8', isPinned && 'turn-pinned')}>
      <Said text={message.text} at={null} note={message.failure ? t('notSent') : t('sending')} />
      {message.failure ? (
        <FailureNotice
          failure={message.failure}
          className="mt-3"
          action={
            <>
              <Button size="small" onClick={onAgain}>
                {t('again')}
              </Button>
              <Button look="quiet" size="small" onClick={onEdit}>
                {t('edit')}
              </Button>
            </>
          }
        />
      ) : null}
    </article>
  );
}
