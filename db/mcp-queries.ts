import type { Sql } from 'postgres';
import { fromUuid } from '#lib/kernel/index.ts';
import type { DueServers } from '#lib/mcp/index.ts';

/**
 * Which MCP servers are to be looked at, over all tenants, as role `bailiwick_platform`: each goes to one process. Not those
 * where people sign in: nobody’s account serves the platform’s own ends.
 */
export function createDueMcpServers(sql: Sql): DueServers {
  return {
    async claimDue({ intervalMs, isStart, limit }) {
      // At its start a process takes what another may have looked at just now: that one may have gone.
      const aheadMs = isStart ? intervalMs : 0;
      const rows = await sql`
        update mcp_server set next_check_at = now() + make_interval(secs => ${intervalMs / 1000})
        where id in (
          select s.id from mcp_server s join tenant t on t.id = s.tenant_id
          where s.is_enabled and s.auth <> 'oauth' and s.next_check_at <= now() + make_interval(secs => ${aheadMs / 1000}) and t.suspended_at is null
          order by s.next_check_at limit ${limit} for update of s skip locked
        )
        returning tenant_id, id`;
      return rows.map((row) => ({ tenantId: fromUuid('tenant', String(row.tenant_id)), serverId: fromUuid('mcpServer', String(row.id)) }));
    },

    async listEnabled() {
      const rows = await sql`
        select s.tenant_id, s.id from mcp_server s join tenant t on t.id = s.tenant_id where s.is_enabled and t.suspended_at is null`;
      return rows.map((row) => ({ tenantId: fromUuid('tenant', String(row.tenant_id)), serverId: fromUuid('mcpServer', String(row.id)) }));
    },
  };
}
