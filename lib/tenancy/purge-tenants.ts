import type { Clock, Id } from '#lib/kernel/index.ts';
import type { Purge, PurgeStore } from './ports.ts';

const ROWS_AT_ONCE = 2_000;
const RUNS_AT_ONCE = 200;
/** How long a run that is being driven is given to stop by itself. */
const STOP_WITHIN_MS = 15_000;

interface Dependencies {
  readonly clock: Clock;
  readonly purges: PurgeStore;
  /** Makes the engine forget runs: what it keeps of them, queued segments included. */
  readonly forgetRuns: (runs: readonly { readonly id: Id<'run'>; readonly segments: number }[]) => Promise<void>;
}

/**
 * Removes what deleted tenants held, and then their own rows: runs stop first, then what the engine keeps of them goes, then
 * every table's rows, children before parents, a batch at a time. Says how far it has come; begins where it left off after a
 * crash; harmless in several processes at once.
 */
export const purgeTenants = (deps: Dependencies) => async (): Promise<void> => {
  for (const purge of await deps.purges.listUnfinished()) await purgeOne(deps, purge);
};

async function purgeOne({ clock, purges, forgetRuns }: Dependencies, purge: Purge): Promise<void> {
  const { tenantId } = purge;
  const driven = await purges.stopRuns(tenantId, purge.requestedBy);
  if (driven > 0 && clock.now().getTime() - purge.requestedAt.getTime() < STOP_WITHIN_MS) return;
  const tables = await purges.listTables();
  if (purge.totalRows === null) {
    let total = 0;
    for (const table of tables) total += await purges.count(table, tenantId);
    await purges.setTotal(tenantId, total);
  }
  let after: Id<'run'> | null = null;
  for (;;) {
    const runs = await purges.listRuns(tenantId, after, RUNS_AT_ONCE);
    const last = runs.at(-1);
    if (!last) break;
    await forgetRuns(runs);
    after = last.id;
  }
  for (const table of tables) while ((await purges.removeRows(table, tenantId, ROWS_AT_ONCE)) > 0);
  await purges.finish(purge, clock.now());
}
