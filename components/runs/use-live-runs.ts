import { useCallback, useEffect, useRef, useState } from 'react';
import { requestJson } from '#components/api/request.ts';
import { type RunPage, type RunSummaryView, runPage } from '#lib/supervisor/contract.ts';
import { hasEnded } from './has-ended.ts';

const ACTIVE_EVERY_MS = 4_000;
const IDLE_EVERY_MS = 15_000;

interface LiveRuns {
  rows: readonly RunSummaryView[];
  nextCursor: string | null;
  /** Runs that have begun since the rows were read; shown when asked for, so that nothing being read moves. */
  newCount: number;
  showNew: () => void;
}

/**
 * A page of runs that keeps its rows' states up to date in their places. `query` is the API's query for the same page.
 * Only a tab in view asks.
 */
export function useLiveRuns(tenantSlug: string, query: string, initial: RunPage, isFirstPage: boolean): LiveRuns {
  const [page, setPage] = useState(initial);
  const [fresh, setFresh] = useState<RunPage | null>(null);
  const shown = useRef(page);
  useEffect(() => {
    shown.current = page;
  });
  const [seen, setSeen] = useState(initial);
  if (seen !== initial) {
    setSeen(initial);
    setPage(initial);
    setFresh(null);
  }
  const isActive = page.items.some(({ state }) => !hasEnded(state));
  useEffect(() => {
    const read = async () => {
      if (document.visibilityState !== 'visible') return;
      try {
        const next = await requestJson(`/api/t/${tenantSlug}/runs?${query}`, runPage);
        const known = new Set(shown.current.items.map(({ id }) => id));
        const byId = new Map(next.items.map((run) => [run.id, run]));
        setPage((before) => ({ ...before, items: before.items.map((run) => byId.get(run.id) ?? run) }));
        if (isFirstPage) setFresh(next.items.some(({ id }) => !known.has(id)) ? next : null);
      } catch {
        // The rows stay; the next reading tries again.
      }
    };
    const timer = setInterval(() => void read(), isActive ? ACTIVE_EVERY_MS : IDLE_EVERY_MS);
    return () => clearInterval(timer);
  }, [tenantSlug, query, isActive, isFirstPage]);
  const showNew = useCallback(() => {
    if (fresh) setPage(fresh);
    setFresh(null);
  }, [fresh]);
  const known = new Set(page.items.map(({ id }) => id));
  return { rows: page.items, nextCursor: page.nextCursor, newCount: fresh?.items.filter(({ id }) => !known.has(id)).length ?? 0, showNew };
}
