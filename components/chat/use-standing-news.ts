import { useEffect, useRef } from 'react';
import { announceInbox } from '#components/approvals/inbox-news.ts';
import type { RunStanding } from './use-progress.ts';

/** Calls `announce` when a run of a chat has begun to wait for its reader, goes on, or is over: lists show as much. */
export function useStandingNews(standings: readonly RunStanding[], announce: () => void): void {
  const key = standings.map(({ runId, isOver, needsPerson }) => `${runId}:${isOver ? 'over' : needsPerson ? 'waits' : ''}`).join();
  const told = useRef(key);
  useEffect(() => {
    if (told.current === key) return;
    told.current = key;
    announce();
    announceInbox();
  }, [key, announce]);
}
