import { AppError, type Id } from '#lib/kernel/index.ts';
import type { Actor } from '#lib/tenancy/index.ts';
import type { SupervisorResult } from './contract.ts';
import type { RunFeed, RunReader } from './ports.ts';
import { toSupervisorResult } from './supervisor-result.ts';
import { tailRun } from './tail-run.ts';

/**
 * Waits for a run's end, or until it waits for a person and not only for its tasks, by the same log that streams read
 * (requirement P-25). When the signal fires first, the run as it then stands: it goes on without its waiter.
 */
export async function awaitResult(
  dependencies: { reader: RunReader; feed: RunFeed },
  actor: Actor,
  runId: Id<'run'>,
  signal: AbortSignal,
): Promise<SupervisorResult> {
  for await (const batch of tailRun(dependencies, { scope: actor.scope, runId, after: 0, signal })) {
    if (batch.some(({ type }) => type === 'question-asked' || type === 'approval-requested')) break;
  }
  const found = await dependencies.reader.findOutcome(actor.scope, runId);
  if (found?.ownerId !== actor.scope.userId) throw new AppError({ code: 'not_found', message: 'There is no such run.' });
  return toSupervisorResult(found.outcome);
}
