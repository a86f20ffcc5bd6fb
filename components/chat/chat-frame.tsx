import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { type CapabilityTitle, CapabilityTitleScope } from '#components/capabilities/capability-titles.tsx';
import type { SessionPage } from '#lib/conversations/contract.ts';
import { SessionList } from './session-list.tsx';
import { SessionListScope } from './session-list-scope.tsx';

/** The list of chats beside the chat that is open. */
export function ChatFrame({
  firstPage,
  titles,
  children,
}: {
  firstPage: SessionPage;
  titles: readonly CapabilityTitle[];
  children: ReactNode;
}) {
  const t = useTranslations('chat.list');
  return (
    <SessionListScope firstPage={firstPage}>
      <CapabilityTitleScope titles={titles}>
        <div className="flex min-h-0 flex-1">
          <aside aria-label={t('title')} className="hidden w-[260px] shrink-0 flex-col border-e border-border lg:flex">
            <SessionList />
          </aside>
          <div className="flex min-h-0 min-w-0 flex-1 flex-col">{children}</div>
        </div>
      </CapabilityTitleScope>
    </SessionListScope>
  );
}
