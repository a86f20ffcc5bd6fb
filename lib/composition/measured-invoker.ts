import type { InvocationOutcome, Invoker } from '#lib/capabilities/index.ts';
import { log, metrics, spanIdOf, traceIdOf, withLogContext } from '#lib/telemetry/index.ts';

/** Longer than any tool's name; a model may make up more. */
const NAME_SHOWN = 100;

/**
 * The one invoker, counted (requirement H-32), with the lines that are logged meanwhile carrying the tool and its span
 * (requirement H-33). A call that had ended before is only found again, and not counted twice.
 */
export function createMeasuredInvoker(invoker: Invoker): Invoker {
  return {
    async invoke(request) {
      const state = request.existing?.state;
      if (state === 'SUCCEEDED' || state === 'FAILED') return invoker.invoke(request);
      const context = { toolName: request.capabilityId.slice(0, NAME_SHOWN), spanId: spanIdOf(traceIdOf(request.runId), request.path) };
      return withLogContext(context, async () => {
        const startedAtMs = performance.now();
        const outcome = await invoker.invoke(request);
        count(outcome, (performance.now() - startedAtMs) / 1000);
        return outcome;
      });
    },
  };
}

/** One that waits for somebody, or for its tasks, has not ended. */
function count(outcome: InvocationOutcome, seconds: number): void {
  if (outcome.status === 'approval-needed' || outcome.status === 'outcome-unknown' || outcome.status === 'waiting') return;
  const { invocation } = outcome;
  // Without a version there is no such tool: the name is whatever was asked for.
  const tool = invocation?.capabilityVersion ? invocation.capabilityId : null;
  const error = outcome.status === 'succeeded' ? null : outcome.status === 'aborted' ? 'aborted' : outcome.code;
  metrics.agent.recordToolCall({ tool, error, seconds: invocation && invocation.attempt > 0 ? seconds : null });
  log.debug({ outcome: outcome.status, ...(error && { error }), ms: Math.round(seconds * 1000) }, 'tool call ended');
}
