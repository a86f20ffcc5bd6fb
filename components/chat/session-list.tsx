'use client';

import { ArchiveIcon, PinIcon, SearchIcon } from 'lucide-react';
import { usePathname, useSearchParams } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useEffect, useId, useRef, useState } from 'react';
import { FailureNotice } from '#components/api/failure-notice.tsx';
import { RowKeys } from '#components/keyboard/row-keys.tsx';
import { useKeys } from '#components/keyboard/use-keys.ts';
import { useMe } from '#components/shell/me-scope.tsx';
import { Button } from '#components/ui/button.tsx';
import { EmptyState } from '#components/ui/empty-state.tsx';
import { Input } from '#components/ui/input.tsx';
import { joinClasses } from '#components/ui/join-classes.ts';
import { SkeletonRows } from '#components/ui/skeleton.tsx';
import type { SessionView } from '#lib/conversations/contract.ts';
import { useFirstSessions } from './session-list-scope.tsx';
import { SessionRow } from './session-row.tsx';
import { useSessions } from './use-sessions.ts';

/** The person's chats: pinned ones first, then by their newest message. */
export function SessionList({ onGo }: { onGo?: () => void }) {
  const t = useTranslations('chat.list');
  const { tenant } = useMe();
  const [q, setQ] = useState('');
  const [isArchived, setIsArchived] = useState(false);
  const search = useRef<HTMLInputElement>(null);
  const { items, hasMore, isLoading, failure, loadMore, refresh } = useSessions(
    tenant.slug,
    { q: q.trim(), isArchived },
    useFirstSessions(),
  );
  const currentId = usePathname().split('/')[3];
  const isWanted = useSearchParams().get('list') !== null;
  useEffect(() => {
    if (isWanted) search.current?.focus();
  }, [isWanted]);
  const listId = useId();
  useKeys({ search: () => search.current?.focus() });
  // The list stays while chats come and go beside it: another one being opened is the moment to look anew.
  const opened = useRef(currentId);
  useEffect(() => {
    if (opened.current !== currentId) refresh();
    opened.current = currentId;
  }, [currentId, refresh]);
  const pinned = isArchived ? [] : items.filter(({ isPinned }) => isPinned);
  const others = isArchived ? items : items.filter(({ isPinned }) => !isPinned);
  const row = (session: SessionView) => (
    <SessionRow key={session.id} session={session} isCurrent={session.id === currentId} {...(onGo ? { onGo } : {})} />
  );
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="flex items-center gap-1 border-b border-border p-2">
        <div className="relative min-w-0 flex-1">
          <SearchIcon
            aria-hidden
            className="pointer-events-none absolute start-2.5 top-1/2 size-3.5 -translate-y-1/2 text-muted-foreground"
          />
          <Input
            ref={search}
            type="search"
            value={q}
            onChange={(event) => setQ(event.target.value)}
            aria-label={t('search')}
            placeholder={t('search')}
            className="ps-8"
          />
        </div>
        <Button
          look="quiet"
          size="square"
          aria-pressed={isArchived}
          aria-label={t('archived')}
          title={t('archived')}
          onClick={() => setIsArchived(!isArchived)}
          className={joinClasses(isArchived && 'bg-foreground/8')}
        >
          <ArchiveIcon aria-hidden />
        </Button>
      </div>
      <RowKeys listId={listId} />
      <div id={listId} className="min-h-0 flex-1 overflow-y-auto" aria-busy={isLoading}>
        {failure ? (
          <FailureNotice
            failure={failure}
            className="m-3"
            action={
              <Button size="small" onClick={refresh}>
                {t('again')}
              </Button>
            }
          />
        ) : null}
        {isLoading && items.length === 0 ? <SkeletonRows className="px-3" /> : null}
        {!isLoading && !failure && items.length === 0 ? (
          q.trim() === '' ? (
            <EmptyState
              title={isArchived ? t('emptyArchived') : t('empty')}
              example={isArchived ? null : t('example')}
              className="px-3 py-6"
            >
              {isArchived ? t('emptyArchivedBody') : t('emptyBody')}
            </EmptyState>
          ) : (
            <EmptyState
              title={t('nothing')}
              className="px-3 py-6"
              action={
                <Button size="small" onClick={() => setQ('')}>
                  {t('clear')}
                </Button>
              }
            />
          )
        ) : null}
        {pinned.length > 0 ? (
          <section>
            <h2 className="flex items-center gap-1.5 px-3 pt-2.5 pb-1 text-meta text-muted-foreground">
              <PinIcon aria-hidden className="size-3" />
              {t('pinned')}
            </h2>
            <ul>{pinned.map(row)}</ul>
          </section>
        ) : null}
        {others.length > 0 ? (
          <section>
            <h2 className="px-3 pt-2.5 pb-1 text-meta text-muted-foreground">{isArchived ? t('archived') : t('recent')}</h2>
            <ul>{others.map(row)}</ul>
          </section>
        ) : null}
        {hasMore ? (
          <div className="p-2">
            <Button look="quiet" size="small" className="w-full" disabled={isLoading} onClick={loadMore}>
              {t('more')}
            </Button>
          </div>
        ) : null}
      </div>
    </div>
  );
}
