import { openSql } from '#db/client.ts';
import { createEmbeddingQueue } from '#db/embedding-queue.ts';
import type { TenantStores } from '#db/stores/index.ts';
import type { Config } from '#lib/config/index.ts';
import type { Clock, UnitOfWork } from '#lib/kernel/index.ts';
import { type EmbedDependencies, embedDocuments } from '#lib/knowledge/index.ts';
import { log } from '#lib/telemetry/index.ts';

/** How often a process looks for passages without a vector. */
const LOOK_MS = 1_000;
/** Spaces that one process works on at once, each of another tenant. */
const AT_ONCE = 2;
/** Between two calls for one tenant: at most so many a second. */
const CALLS_A_SECOND = 5;

/**
 * Vectors of documents, made in the background by whichever process drives runs. What is missing is in the database: a process
 * that is killed leaves it there, and another, or the same after its start, goes on where it stopped.
 */
export function composeEmbedding(parts: {
  config: Config;
  clock: Clock;
  unitOfWork: UnitOfWork<TenantStores>;
  openModel: EmbedDependencies['openModel'];
}) {
  const { config, clock } = parts;
  const sql = openSql({ databaseUrl: config.databaseUrl, role: 'bailiwick_platform', max: 1, name: 'embedding' });
  const queue = createEmbeddingQueue(sql);
  const stopping = new AbortController();
  const deps: EmbedDependencies = { ...parts, pauseMs: 1_000 / CALLS_A_SECOND, random: Math.random, signal: stopping.signal };
  const working = new Map<string, Promise<void>>();
  let timer: NodeJS.Timeout | null = null;

  const look = async () => {
    if (working.size >= AT_ONCE || stopping.signal.aborted) return;
    for (const due of await queue.listDue(clock.now(), AT_ONCE)) {
      if (working.size >= AT_ONCE || working.has(due.spaceId)) continue;
      const turn = embedDocuments(deps, due)
        .catch((error: unknown) => {
          if (!stopping.signal.aborted) log.warn({ spaceId: due.spaceId, err: error }, 'embedding was interrupted; it is tried again');
        })
        .finally(() => working.delete(due.spaceId));
      working.set(due.spaceId, turn);
    }
  };

  return {
    start() {
      if (config.role === 'web') return;
      timer = setInterval(() => {
        look().catch((error: unknown) => log.warn({ err: error }, 'passages without a vector could not be looked for'));
      }, LOOK_MS);
    },
    async stop() {
      stopping.abort();
      if (timer) clearInterval(timer);
      await Promise.race([Promise.all(working.values()), new Promise((resolve) => setTimeout(resolve, 2_000))]);
      await sql.end({ timeout: 2 });
    },
  };
}
