import { useCallback, useEffect, useRef, useState } from 'react';
import { type RequestFailure, requestJson, toRequestFailure } from '#components/api/request.ts';
import { type SessionPage, type SessionView, sessionPage } from '#lib/conversations/contract.ts';
import { onSessionNews } from './session-news.ts';

const TYPING_PAUSE_MS = 200;

interface Sessions {
  items: readonly SessionView[];
  hasMore: boolean;
  isLoading: boolean;
  failure: RequestFailure | null;
  loadMore: () => void;
  refresh: () => void;
}

/** Chats that match a search, page by page; read again when one of them changes. What is shown stays until then. */
export function useSessions(tenantSlug: string, query: { q: string; isArchived: boolean }, firstPage: SessionPage): Sessions {
  const [page, setPage] = useState(firstPage);
  const [isLoading, setIsLoading] = useState(false);
  const [failure, setFailure] = useState<RequestFailure | null>(null);
  const latest = useRef(0);
  const { q, isArchived } = query;
  const read = useCallback(
    async (cursor: string | null) => {
      const reading = (latest.current += 1);
      const parameters = new URLSearchParams({ ...(q && { q }), ...(isArchived && { archived: 'true' }), ...(cursor && { cursor }) });
      setIsLoading(true);
      try {
        const next = await requestJson(`/api/t/${tenantSlug}/sessions?${parameters}`, sessionPage);
        if (reading !== latest.current) return;
        setFailure(null);
        setPage((before) => (cursor === null ? next : { ...next, items: [...before.items, ...next.items] }));
      } catch (thrown) {
        if (reading !== latest.current) return;
        setFailure(toRequestFailure(thrown));
      }
      setIsLoading(false);
    },
    [tenantSlug, q, isArchived],
  );
  const isFirst = useRef(true);
  useEffect(() => {
    if (isFirst.current) {
      isFirst.current = false;
      return undefined;
    }
    const timer = setTimeout(() => void read(null), TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [read]);
  const refresh = useCallback(() => void read(null), [read]);
  useEffect(
    () =>
      onSessionNews((news) => {
        if (news.tenantSlug === tenantSlug) refresh();
      }),
    [tenantSlug, refresh],
  );
  return { items: page.items, hasMore: page.nextCursor !== null, isLoading, failure, loadMore: () => void read(page.nextCursor), refresh };
}
