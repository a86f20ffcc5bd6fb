import type { Sql } from 'postgres';
import { z } from 'zod';
import { type Id, parseId } from '#lib/kernel/index.ts';
import type { McpChangeFeed } from '#lib/mcp/index.ts';

/** Channel on which a commit names the tenant whose tools it changed: {"tenantId": id}. */
export const MCP_CHANNEL = 'bailiwick_mcp';

const change = z.object({ tenantId: z.string() });

export function createMcpChangeFeed(sql: Sql): McpChangeFeed & { listen(): Promise<void> } {
  const listeners = new Set<(tenantId: Id<'tenant'> | null) => void>();
  const tell = (tenantId: Id<'tenant'> | null) => {
    for (const listener of listeners) listener(tenantId);
  };
  return {
    onChange(listener) {
      listeners.add(listener);
    },
    async listen() {
      await sql.listen(
        MCP_CHANNEL,
        (payload) => {
          const parsed = change.safeParse(JSON.parse(payload));
          if (parsed.success) tell(parseId('tenant', parsed.data.tenantId));
        },
        // After a lost connection anything may have changed.
        () => tell(null),
      );
    },
  };
}
