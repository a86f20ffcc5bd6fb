'use client';

import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import { requestJson } from '#components/api/request.ts';
import { useMe } from '#components/shell/me-scope.tsx';
import { inboxView } from '#lib/supervisor/contract.ts';
import { onInboxNews } from './inbox-news.ts';

const ASK_AGAIN_MS = 30_000;
const answer = inboxView.pick({ count: true });

const Count = createContext(0);

/** How many things wait for the reader; asked for once for all that show it. */
export function InboxCountScope({ children }: { children: ReactNode }) {
  const { tenant, permissions } = useMe();
  const [count, setCount] = useState(0);
  const isAsked = permissions.includes('conversation:write') || permissions.includes('approval:decide');
  useEffect(() => {
    if (!isAsked) return undefined;
    const abort = new AbortController();
    const ask = async () => {
      if (document.hidden) return;
      // A number that is a little old does no harm; whoever opens the inbox sees what is there, or why not.
      const read = await requestJson(`/api/t/${tenant.slug}/inbox`, answer, { signal: abort.signal }).catch(() => null);
      if (read && !abort.signal.aborted) setCount(read.count);
    };
    const onNews = () => void ask();
    onNews();
    const timer = setInterval(onNews, ASK_AGAIN_MS);
    const stopListening = onInboxNews(onNews);
    document.addEventListener('visibilitychange', onNews);
    return () => {
      abort.abort();
      clearInterval(timer);
      stopListening();
      document.removeEventListener('visibilitychange', onNews);
    };
  }, [isAsked, tenant.slug]);
  return <Count value={count}>{children}</Count>;
}

export function useInboxCount(): number {
  return useContext(Count);
}
