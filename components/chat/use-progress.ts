import { useMemo, useSyncExternalStore } from 'react';
import type { RunState } from '#lib/supervisor/contract.ts';
import type { ProgressStore } from './progress-store.ts';
import type { RunProgress } from './run-progress.ts';

/** The run as it is now, or undefined while nothing has been heard of it. */
export function useProgress(store: ProgressStore, runId: string): RunProgress | undefined {
  return useSyncExternalStore(
    store.subscribe,
    () => store.get(runId),
    () => store.get(runId),
  );
}

export interface RunStanding {
  runId: string;
  state: RunState;
  /** Nothing more will be heard of it. */
  isOver: boolean;
  messageId: string | null;
  /** Somebody has to answer or decide before it goes on. */
  needsPerson: boolean;
}

/** How each run stands, without its text: a reader of this renders anew on a change of state only. */
export function useStandings(store: ProgressStore, runIds: readonly string[]): RunStanding[] {
  const read = () => JSON.stringify(runIds.map((runId) => standingOf(store, runId)));
  const text = useSyncExternalStore(store.subscribe, read, read);
  return useMemo(() => JSON.parse(text) as RunStanding[], [text]);
}

function standingOf(store: ProgressStore, runId: string): RunStanding {
  const progress = store.get(runId);
  return {
    runId,
    state: progress?.state ?? 'QUEUED',
    isOver: store.isComplete(runId),
    messageId: progress?.messageId ?? null,
    needsPerson: progress?.question?.state === 'OPEN' || progress?.approvals.some(({ state }) => state === 'OPEN') === true,
  };
}
