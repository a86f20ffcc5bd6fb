import type { Sql } from 'postgres';
import { z } from 'zod';
import { type Id, parseId } from '#lib/kernel/index.ts';
import { RIGHTS_CHANNEL } from './rights-bell.ts';

const change = z.object({ tenantId: z.string().nullable(), userId: z.string().nullable() });

/** Tells those who act for a long time that somebody's rights have changed. */
export interface RightsFeed {
  onChange(of: { tenantId: Id<'tenant'>; userId: Id<'user'> }, listener: () => void): () => void;
  listen(): Promise<void>;
}

export function createRightsFeed(sql: Sql): RightsFeed {
  const listeners = new Set<{ tenantId: Id<'tenant'>; userId: Id<'user'>; listener: () => void }>();
  const tell = (tenantId: Id<'tenant'> | null, userId: Id<'user'> | null) => {
    for (const entry of listeners) {
      if ((tenantId === null || tenantId === entry.tenantId) && (userId === null || userId === entry.userId)) entry.listener();
    }
  };
  return {
    onChange(of, listener) {
      const entry = { ...of, listener };
      listeners.add(entry);
      return () => listeners.delete(entry);
    },
    async listen() {
      await sql.listen(
        RIGHTS_CHANNEL,
        (payload) => {
          const parsed = change.safeParse(JSON.parse(payload));
          if (parsed.success) tell(parseId('tenant', parsed.data.tenantId), parseId('user', parsed.data.userId));
        },
        // After a lost connection anything may have changed.
        () => tell(null, null),
      );
    },
  };
}
