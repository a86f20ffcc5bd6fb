import type { Sql } from 'postgres';
import { fromUuid, type Id } from '#lib/kernel/index.ts';
import type { CancelFeed } from '#lib/supervisor/index.ts';
import { CANCEL_CHANNEL } from './run-gate.ts';

export function createCancelFeed(sql: Sql): CancelFeed & { listen(): Promise<void> } {
  const listeners = new Map<Id<'run'>, Set<() => void>>();
  const tell = (runId: Id<'run'>) => {
    for (const listener of listeners.get(runId) ?? []) listener();
  };
  return {
    tell,
    onCancel(runId, listener) {
      const set = listeners.get(runId) ?? new Set();
      listeners.set(runId, set.add(listener));
      return () => {
        set.delete(listener);
        if (set.size === 0) listeners.delete(runId);
      };
    },
    async listen() {
      await sql.listen(CANCEL_CHANNEL, (uuid) => tell(fromUuid('run', uuid)));
    },
  };
}
