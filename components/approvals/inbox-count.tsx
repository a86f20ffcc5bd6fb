'use client';

import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import { requestJson } from '#components/api/request.ts';
import { useMe } from '#components/shell/me-scope.tsx';
import { inboxView } from '#lib/supervisor/contract.ts';
import { followInbox } from './inbox-news.ts';

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
      // A number that is a little old does no harm; whoever opens the inbox sees what is there, or why not.
      const read = await requestJson(`/api/t/${tenant.slug}/inbox`, answer, { signal: abort.signal }).catch(() => null);
      if (read && !abort.signal.aborted) setCount(read.count);
    };
    if (!document.hidden) void ask();
    const stop = followInbox(() => void ask(), ASK_AGAIN_MS);
    return () => {
      abort.abort();
      stop();
    };
  }, [isAsked, tenant.slug]);
  return <Count value={count}>{children}</Count>;
}

export function useInboxCount(): number {
  return useContext(Count);
}
