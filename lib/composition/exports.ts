import { openSql } from '#db/client.ts';
import { createExportQueue } from '#db/export-queue.ts';
import type { TenantStores } from '#db/stores/index.ts';
import type { Config } from '#lib/config/index.ts';
import type { Clock, UnitOfWork } from '#lib/kernel/index.ts';
import {
  cancelExport,
  createExport,
  downloadExport,
  type ExportDependencies,
  getExport,
  listExports,
  type ViewDependencies,
  writeExport,
} from '#lib/record/index.ts';
import type { ActorSource } from '#lib/supervisor/index.ts';
import { log } from '#lib/telemetry/index.ts';

/** How often a process looks for exports that wait, or whose writer has died. */
const LOOK_MS = 1_000;
const EXPIRE_MS = 60_000;
/** Exports that one process writes at once: the others of the same tenant wait their turn. */
const AT_ONCE = 2;

/**
 * Files of runs, made in the background by whichever process drives runs. The job is in the database: a process that is
 * killed leaves it there, and another, or the same after its start, goes on where it stopped.
 */
export function composeExports(
  parts: ViewDependencies & { config: Config; clock: Clock; unitOfWork: UnitOfWork<TenantStores>; actors: ActorSource },
) {
  const { config, clock } = parts;
  const sql = openSql({ databaseUrl: config.databaseUrl, role: 'bailiwick_platform', max: 1, name: 'exports' });
  const queue = createExportQueue(sql);
  const writing = new Map<string, Promise<void>>();
  const timers: NodeJS.Timeout[] = [];
  let isStopped = false;
  const deps: ExportDependencies = {
    ...parts,
    leaseMs: config.exportLeaseMs,
    actorOf: ({ tenantId, userId }) => parts.actors.actorOfRun({ tenantId, userId, apiKeyId: null }),
  };

  const look = async () => {
    if (writing.size >= AT_ONCE || isStopped) return;
    for (const due of await queue.listDue(clock.now(), AT_ONCE)) {
      if (writing.size >= AT_ONCE || writing.has(due.exportId)) continue;
      const turn = writeExport(deps, due)
        .catch((error: unknown) => log.warn({ exportId: due.exportId, err: error }, 'an export was interrupted; it is tried again'))
        .finally(() => writing.delete(due.exportId));
      writing.set(due.exportId, turn);
    }
  };
  const every = (intervalMs: number, job: () => Promise<unknown>) =>
    timers.push(
      setInterval(() => {
        job().catch((error: unknown) => log.warn({ err: error }, 'a background job of exports failed'));
      }, intervalMs),
    );

  return {
    useCases: {
      createExport: createExport.bind(null, parts),
      listExports: listExports.bind(null, parts),
      getExport: getExport.bind(null, parts),
      cancelExport: cancelExport.bind(null, parts),
      downloadExport: downloadExport.bind(null, parts),
    },
    start() {
      if (config.role === 'web') return;
      every(LOOK_MS, look);
      every(EXPIRE_MS, () => queue.expire(clock.now()));
    },
    async stop() {
      isStopped = true;
      for (const timer of timers) clearInterval(timer);
      await Promise.race([Promise.all(writing.values()), new Promise((resolve) => setTimeout(resolve, 2_000))]);
      await sql.end({ timeout: 2 });
    },
  };
}
