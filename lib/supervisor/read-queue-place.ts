import type { RunEngine } from '#lib/durable/index.ts';
import { AppError, type Id } from '#lib/kernel/index.ts';
import { type Actor, hasPermission } from '#lib/tenancy/index.ts';
import type { QueuePlaceView } from './contract.ts';
import type { RunReader } from './ports.ts';

/**
 * Where a run stands in the line before the places of the deployment (requirement H-25). Whose it is decides as with `getRun`:
 * throws `not_found` as for a random id.
 */
export async function readQueuePlace(
  { reader, engine }: { readonly reader: Pick<RunReader, 'findOwner'>; readonly engine: Pick<RunEngine, 'readLine'> },
  actor: Actor,
  runId: Id<'run'>,
): Promise<QueuePlaceView> {
  const owner = await reader.findOwner(actor.scope, runId);
  if (owner === null || (owner !== actor.scope.userId && !hasPermission(actor, 'run:audit')))
    throw new AppError({ code: 'not_found', message: 'There is no such run.' });
  const { waiting } = await engine.readLine();
  const place = waiting.findIndex((waits) => waits.runId === runId);
  return { place: place < 0 ? null : place + 1 };
}
