import type { RunObserver } from '#lib/supervisor/index.ts';
import { logSessionMove, spanIdOf, traceIdOf } from '#lib/telemetry/index.ts';

/** What this process does about runs once it has written about them: a line for each move of a session, and the run's trace at its end. */
export function createRunObserver(parts: { readonly onEnded: RunObserver }): RunObserver {
  return (write) => {
    const { tenantId, sessionId, runId, moves, tokenUsage, terminal } = write;
    const traceId = traceIdOf(runId);
    for (const move of moves) logSessionMove({ tenantId, sessionId, runId, traceId, spanId: spanIdOf(traceId, ''), move, tokenUsage });
    if (terminal) parts.onEnded(write);
  };
}
