'use client';

import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { sessionStanding, standingTone } from '#components/runs/run-tones.ts';
import { useMe } from '#components/shell/me-scope.tsx';
import { joinClasses } from '#components/ui/join-classes.ts';
import { StateChip } from '#components/ui/state-chip.tsx';
import { TimeAgo } from '#components/ui/time.tsx';
import type { SessionView } from '#lib/conversations/contract.ts';
import { RenameField } from './rename-field.tsx';
import { SessionMenu } from './session-menu.tsx';
import { announceSession } from './session-news.ts';

/** A chat in the list: its title, how its newest run stands in word and shape, and what can be done with it. */
export function SessionRow({ session, isCurrent, onGo }: { session: SessionView; isCurrent: boolean; onGo?: () => void }) {
  const t = useTranslations('states.session');
  const tt = useTranslations('chat.list');
  const { tenant } = useMe();
  const [isRenaming, setIsRenaming] = useState(false);
  const standing = sessionStanding(session);
  // Heard by this list, by the chat itself where it is open, and by other tabs.
  const announce = () => announceSession({ tenantSlug: tenant.slug, sessionId: session.id });
  return (
    <li
      className={joinClasses(
        'group/row relative flex items-center border-b border-border transition-colors duration-[120ms] hover:bg-foreground/4',
        isCurrent && 'bg-foreground/6 before:absolute before:inset-y-0 before:start-0 before:w-0.5 before:bg-primary',
      )}
    >
      {isRenaming ? (
        <RenameField session={session} onDone={() => setIsRenaming(false)} onChanged={announce} />
      ) : (
        <>
          <Link
            href={`/${tenant.slug}/chat/${session.id}`}
            aria-current={isCurrent ? 'page' : undefined}
            {...(onGo ? { onClick: onGo } : {})}
            className="touchable min-w-0 flex-1 py-2 ps-3 pe-1 outline-offset-[-2px]"
          >
            <span className={joinClasses('block truncate text-ui', isCurrent && 'font-medium')}>{session.title || tt('untitled')}</span>
            <span className="mt-0.5 flex items-center justify-between gap-2">
              <StateChip tone={standingTone(standing)} className="font-normal">
                {t(standing)}
              </StateChip>
              <span className="text-meta text-muted-foreground">
                <TimeAgo at={session.updatedAt} />
              </span>
            </span>
          </Link>
          <SessionMenu session={session} onRename={() => setIsRenaming(true)} onChanged={announce} />
        </>
      )}
    </li>
  );
}
