import type { OutcomeEvent } from './outcome.ts';

/**
 * How long runs stood still: from each crash to the last run that was carried on after it, the longest over all crashes, in
 * milliseconds. Null when no crash cut a run off.
 */
export function recoveryOf(events: readonly OutcomeEvent[], crashesAtMs: readonly number[]): number | null {
  const waits = events.flatMap((event) => {
    if (event.type !== 'run-state' || event.payload.reason !== 'taken over') return [];
    const crash = crashesAtMs.findLast((atMs) => atMs <= event.atMs);
    return crash === undefined ? [] : [event.atMs - crash];
  });
  return waits.length > 0 ? Math.round(Math.max(...waits)) : null;
}
