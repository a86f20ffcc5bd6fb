import { useCallback, useEffect, useRef, useState } from 'react';
import { requestJson } from '#components/api/request.ts';
import { type RunPage, type RunSummaryView, runPage } from '#lib/supervisor/contract.ts';

const EVERY_MS = 2_000;
const HIDDEN_EVERY_MS = 30_000;

export interface LiveRuns {
  rows: readonly RunSummaryView[];
  hasMore: boolean;
  isLoadingMore: boolean;
  /** Reads the next page behind the last row. */
  loadMore: () => void;
  /** Runs that have begun since the rows were read; shown when asked for, so that nothing being read moves. */
  newCount: number;
  /** There are more new ones than one page holds: `newCount` is "at least". */
  hasMoreNew: boolean;
  showNew: () => void;
  /** The last look failed: what is shown may be behind. */
  isBehind: boolean;
}

/**
 * Runs a page at a time, whose states are kept up to date in their places, while what is new waits to be shown. `query` is
 * the API's query for the first page: the filters hold for everything that comes. Only a tab in view asks.
 */
export function useLiveRuns(tenantSlug: string, query: string, initial: RunPage, isLive: boolean): LiveRuns {
  const [pages, setPages] = useState(initial);
  const [fresh, setFresh] = useState<RunPage | null>(null);
  const [isLoadingMore, setIsLoadingMore] = useState(false);
  const [isBehind, setIsBehind] = useState(false);
  const [seen, setSeen] = useState(initial);
  if (seen !== initial) {
    setSeen(initial);
    setPages(initial);
    setFresh(null);
  }
  const path = `/api/t/${tenantSlug}/runs?${query}`;
  const shown = useRef(pages);
  useEffect(() => {
    shown.current = pages;
  });
  useEffect(() => {
    if (!isLive) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const abort = new AbortController();
    const look = async () => {
      const isSeen = document.visibilityState === 'visible';
      if (isSeen) {
        try {
          const next = await requestJson(path, runPage, { signal: abort.signal });
          setIsBehind(false);
          const known = new Set(shown.current.items.map(({ id }) => id));
          const byId = new Map(next.items.map((run) => [run.id, run]));
          setPages((before) => ({ ...before, items: before.items.map((run) => byId.get(run.id) ?? run) }));
          setFresh(next.items.some(({ id }) => !known.has(id)) ? next : null);
        } catch {
          // The rows stay; the next look tries again.
          if (!abort.signal.aborted) setIsBehind(true);
        }
      }
      if (!abort.signal.aborted) timer = setTimeout(() => void look(), isSeen ? EVERY_MS : HIDDEN_EVERY_MS);
    };
    timer = setTimeout(() => void look(), EVERY_MS);
    const onVisible = () => {
      if (document.visibilityState !== 'visible') return;
      clearTimeout(timer);
      void look();
    };
    document.addEventListener('visibilitychange', onVisible);
    return () => {
      abort.abort();
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', onVisible);
    };
  }, [path, isLive]);

  const { nextCursor } = pages;
  const isReading = useRef(false);
  const loadMore = useCallback(() => {
    if (nextCursor === null || isReading.current) return;
    isReading.current = true;
    setIsLoadingMore(true);
    requestJson(`${path}&cursor=${encodeURIComponent(nextCursor)}`, runPage)
      .then(
        (page) =>
          setPages((before) =>
            before.nextCursor === nextCursor ? { items: [...before.items, ...page.items], nextCursor: page.nextCursor } : before,
          ),
        () => setIsBehind(true),
      )
      .finally(() => {
        isReading.current = false;
        setIsLoadingMore(false);
      });
  }, [path, nextCursor]);

  const known = new Set(pages.items.map(({ id }) => id));
  const unseen = fresh?.items.filter(({ id }) => !known.has(id)) ?? [];
  const isGap = fresh !== null && unseen.length === fresh.items.length && pages.items.length > 0;
  const showNew = () => {
    // Where a whole page is new, what lies between it and the rows is not known: the list begins anew.
    if (fresh) setPages((before) => (isGap ? fresh : { ...before, items: [...unseen, ...before.items] }));
    setFresh(null);
  };
  return {
    rows: pages.items,
    hasMore: nextCursor !== null,
    isLoadingMore,
    loadMore,
    newCount: unseen.length,
    hasMoreNew: isGap && fresh.nextCursor !== null,
    showNew,
    isBehind,
  };
}
