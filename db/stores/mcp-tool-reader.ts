import type { Sql } from 'postgres';
import { toUuid } from '#lib/kernel/index.ts';
import type { ServedTool, ServedToolReader } from '#lib/mcp/index.ts';
import { inOneRoundTrip } from '../pipelined.ts';
import { toMcpServer, toMcpTool } from './mcp-rows.ts';

/** Tools that can be called now, with their servers; one round trip. */
export function createServedToolReader(sql: Sql): ServedToolReader {
  return {
    async list(scope) {
      const tenant = toUuid(scope.tenantId);
      const [rows] = await inOneRoundTrip(sql, scope, (tx) => [
        tx`select to_jsonb(s) as server, to_jsonb(t) as tool from mcp_server s join mcp_tool t on t.tenant_id = s.tenant_id and t.server_id = s.id
          where s.tenant_id = ${tenant} and s.is_enabled and t.is_enabled and t.is_listed and t.problem is null and t.pending_hash is null
          order by s.name, t.capability_name`,
      ]);
      return rows.map(toServedTool);
    },

    async find(scope, capabilityId) {
      const tenant = toUuid(scope.tenantId);
      const dot = capabilityId.indexOf('.');
      const [rows] = await inOneRoundTrip(sql, scope, (tx) => [
        tx`select to_jsonb(s) as server, to_jsonb(t) as tool from mcp_server s join mcp_tool t on t.tenant_id = s.tenant_id and t.server_id = s.id
          where s.tenant_id = ${tenant} and s.name = ${capabilityId.slice(0, dot)} and t.capability_name = ${capabilityId.slice(dot + 1)}
            and s.is_enabled and t.is_enabled and t.is_listed and t.problem is null and t.pending_hash is null`,
      ]);
      return rows[0] ? toServedTool(rows[0]) : null;
    },
  };
}

function toServedTool(row: Record<string, unknown>): ServedTool {
  const { server, tool } = row;
  return { server: toMcpServer(parse(server)), tool: toMcpTool(parse(tool)) };
}

function parse(value: unknown): unknown {
  return typeof value === 'string' ? JSON.parse(value) : value;
}
