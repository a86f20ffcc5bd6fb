import { useEffect, useState } from 'react';
import { requestJson } from '#components/api/request.ts';
import { useMe } from '#components/shell/me-scope.tsx';
import { type SessionView, sessionPage } from '#lib/conversations/contract.ts';
import { type RunSummaryView, runPage } from '#lib/supervisor/contract.ts';

const TYPING_PAUSE_MS = 120;
const CHATS = 6;
const RUNS = 4;

export interface Found {
  chats: readonly SessionView[];
  runs: readonly RunSummaryView[];
}

/** What was found last, so that the palette opens with rows in it. */
let last: { tenantSlug: string; found: Found } | null = null;

/** The newest chats and runs, or those that a query finds. What was found before stays until then. */
export function useFound(query: string): { found: Found; isSearching: boolean } {
  const { tenant, permissions } = useMe();
  const [found, setFound] = useState<Found>(() => (last?.tenantSlug === tenant.slug ? last.found : { chats: [], runs: [] }));
  const [answeredFor, setAnsweredFor] = useState<string | null>(null);
  const mayChat = permissions.includes('conversation:read');
  const mayRuns = permissions.includes('run:read');
  const q = query.trim();
  useEffect(() => {
    const abort = new AbortController();
    const read = async () => {
      const base = `/api/t/${tenant.slug}`;
      const parameters = (limit: number) => new URLSearchParams({ limit: String(limit), ...(q && { q }) }).toString();
      const { signal } = abort;
      const [chats, runs] = await Promise.all([
        mayChat ? requestJson(`${base}/sessions?${parameters(CHATS)}`, sessionPage, { signal }) : { items: [] },
        mayRuns ? requestJson(`${base}/runs?${parameters(RUNS)}`, runPage, { signal }) : { items: [] },
      ]);
      const next = { chats: chats.items, runs: runs.items };
      if (q === '') last = { tenantSlug: tenant.slug, found: next };
      setFound(next);
      setAnsweredFor(q);
    };
    const timer = setTimeout(
      () => {
        // Places and actions are there without the server; a search that fails finds nothing and says no more.
        read().catch(() => {
          if (!abort.signal.aborted) setAnsweredFor(q);
        });
      },
      q === '' ? 0 : TYPING_PAUSE_MS,
    );
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [tenant.slug, q, mayChat, mayRuns]);
  return { found, isSearching: answeredFor !== q };
}
