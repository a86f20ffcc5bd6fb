import { randomUUID } from 'node:crypto';
import type { Sql } from 'postgres';
import { fromUuid, type Id, parseId, toUuid } from '#lib/kernel/index.ts';
import type { RunEventBatch, RunFeed } from '#lib/supervisor/index.ts';

/** Channel on which a commit that grew a run's log names the run (its bare uuid) and, where it has one, the notice's origin. */
export const RUN_CHANNEL = 'bailiwick_run';

export interface RunEventBus extends RunFeed {
  /** What a commit's notice says when this process tells its own readers of the commit itself. */
  noticeOf(runId: Id<'run'>): string;
  /**
   * Whether a write was committed is not known: readers look, and its notice, should it still come, counts as another
   * process's.
   */
  tellUnknown(runId: Id<'run'>): void;
  /** To the readers of this process, ahead of the database's own notice. */
  tell(runId: Id<'run'>, batch: RunEventBatch | null): void;
  /** Hears commits of other processes. After a lost connection every reader is told to look. */
  listen(): Promise<void>;
}

export function createRunEventBus(sql: Sql): RunEventBus {
  const listeners = new Map<Id<'run'>, Set<(batch: RunEventBatch | null) => void>>();
  const tell = (runId: Id<'run'>, batch: RunEventBatch | null) => {
    for (const listener of listeners.get(runId) ?? []) listener(batch);
  };
  let origin = randomUUID();
  return {
    tell,
    noticeOf: (runId) => `${toUuid(runId)} ${origin}`,
    tellUnknown(runId) {
      origin = randomUUID();
      tell(runId, null);
    },
    subscribe(runId, listener) {
      const set = listeners.get(runId) ?? new Set();
      listeners.set(runId, set.add(listener));
      return () => {
        set.delete(listener);
        if (set.size === 0) listeners.delete(runId);
      };
    },
    async listen() {
      await sql.listen(
        RUN_CHANNEL,
        (notice) => {
          const [uuid = '', from] = notice.split(' ');
          // Its readers here were told with what was written: to read it again would cost as much as all else in a turn.
          if (from === origin) return;
          const runId = parseId('run', fromUuid('run', uuid));
          if (runId) tell(runId, null);
        },
        () => {
          for (const runId of listeners.keys()) tell(runId, null);
        },
      );
    },
  };
}
