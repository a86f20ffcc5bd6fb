import { useEffect, useRef } from 'react';
import { useRunStream } from '#components/live/live-scope.tsx';
import type { ProgressStore } from './progress-store.ts';

/** Keeps the store up to date with these runs. `onEnd` is called as each has ended. A run once followed is not dropped. */
export function useFollowedRuns(store: ProgressStore, runIds: readonly string[], onEnd: () => void): void {
  const stream = useRunStream();
  const stops = useRef(new Map<string, () => void>());
  const latestOnEnd = useRef(onEnd);
  useEffect(() => {
    latestOnEnd.current = onEnd;
  });
  useEffect(() => {
    if (!stream) return;
    for (const runId of runIds) {
      if (stops.current.has(runId) || store.isComplete(runId)) continue;
      stops.current.set(
        runId,
        store.follow(stream, runId, () => latestOnEnd.current()),
      );
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
