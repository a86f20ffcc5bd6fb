import type { CapabilityRegistry } from '#lib/capabilities/index.ts';
import type { Clock, Id, TenantScope } from '#lib/kernel/index.ts';
import type { RunView } from './contract.ts';
import { AnswerText } from './domain/answer-text.ts';
import { endBoundary } from './domain/ending.ts';
import type { Run } from './domain/run.ts';
import { changesByItself, describeStop } from './domain/stopped-work.ts';
import type { CancelFeed, RunGate } from './ports.ts';

export interface StopDependencies {
  readonly gate: Pick<RunGate, 'requestCancel'>;
  readonly cancels: Pick<CancelFeed, 'tell'>;
  readonly registry: Pick<CapabilityRegistry, 'describe'>;
  readonly clock: Clock;
}

/** Asks a run to stop, whoever may; ends it where nobody drives it. Null when there is no such run. */
export async function stopRun(
  { gate, cancels, registry, clock }: StopDependencies,
  scope: TenantScope,
  seen: Pick<RunView, 'id' | 'invocations'>,
  by: Id<'user'>,
): Promise<Run | null> {
  const runId = seen.id as Id<'run'>;
  const changesSomething = (capabilityId: string) => changesByItself(registry.describe(scope.tenantId, capabilityId));
  const calls = seen.invocations.map((call) => ({ ...call, finishedAt: call.finishedAt === null ? null : new Date(call.finishedAt) }));
  const run = await gate.requestCancel(scope, runId, by, (stopped, shownText) =>
    endBoundary(stopped, {
      terminal: 'CANCELLED',
      text: new AnswerText(shownText).whole(),
      at: clock.now(),
      // Nothing drives a run that ends here: its calls stand as they were seen.
      stopped: { ...describeStop(calls, { stopAskedAt: stopped.cancelRequestedAt, changesSomething }), by },
    }),
  );
  // The engine is not told: for it the segment would have ended, and the session's next run would begin beside this one's end.
  if (run?.state === 'RUNNING') cancels.tell(runId);
  return run;
}
