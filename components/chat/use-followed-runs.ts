import { useEffect, useRef } from 'react';
import { useRunStream } from '#components/live/live-scope.tsx';
import type { ProgressStore } from './progress-store.ts';

/** Keeps the store up to date with these runs. A run once followed is not dropped. */
export function useFollowedRuns(store: ProgressStore, runIds: readonly string[]): void {
  const stream = useRunStream();
  const stops = useRef(new Map<string, () => void>());
  useEffect(() => {
    if (!stream) return;
    for (const runId of runIds) {
      if (!stops.current.has(runId) && !store.isComplete(runId)) stops.current.set(runId, store.follow(stream, runId));
    }
  }, [stream, store, runIds]);
  useEffect(() => {
    const held = stops.current;
    return () => {
      for (const stop of held.values()) stop();
      held.clear();
    };
  }, []);
}
