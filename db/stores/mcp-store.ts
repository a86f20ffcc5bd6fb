import { and, eq, sql } from 'drizzle-orm';
import { AppError, fromUuid, type Id, toUuid } from '#lib/kernel/index.ts';
import type { McpServer, McpServerStore, McpTool } from '#lib/mcp/index.ts';
import { mcpServer, mcpTool } from '../schema/index.ts';
import type { TenantBinding } from '../tenant-binding.ts';
import { orIfTaken } from './database-error.ts';
import { MCP_CHANNEL } from './mcp-change-feed.ts';
import { toMcpServer, toMcpTool } from './mcp-rows.ts';

/** Calls of each tool that its server's figures are made from, at most. */
const CALLS_PER_TOOL = 500;

export function bindMcpServerStore({ transaction, scope, clock }: TenantBinding): McpServerStore {
  const { tenantId } = scope;
  const tenant = toUuid(tenantId);
  const one = (id: McpServer['id']) => and(eq(mcpServer.tenantId, tenantId), eq(mcpServer.id, id));

  return {
    async list() {
      const rows = await transaction.execute(sql`select * from mcp_server where tenant_id = ${tenant} order by name`);
      return [...rows].map(toMcpServer);
    },

    async find(id) {
      const rows = await transaction.execute(sql`select * from mcp_server where tenant_id = ${tenant} and id = ${toUuid(id)}`);
      return rows[0] ? toMcpServer(rows[0]) : null;
    },

    async lock(id) {
      const rows = await transaction.execute(sql`select * from mcp_server where tenant_id = ${tenant} and id = ${toUuid(id)} for update`);
      return rows[0] ? toMcpServer(rows[0]) : null;
    },

    async put(server) {
      const { reach } = server;
      const values = {
        transport: reach.transport,
        url: reach.transport === 'http' ? reach.url : null,
        program: reach.transport === 'stdio' ? reach.program : null,
        auth: server.auth,
        headerNames: [...server.headerNames],
        encryptedHeaders: server.sealedHeaders?.box ?? null,
        keyId: server.sealedHeaders?.keyId ?? null,
        clientId: server.signIn?.clientId ?? null,
        isClientGiven: server.signIn?.isGiven ?? false,
        encryptedClient: server.signIn?.sealedClient?.box ?? null,
        clientKeyId: server.signIn?.sealedClient?.keyId ?? null,
        signInScope: server.signIn?.scope ?? null,
        timeoutMs: server.timeoutMs,
        isEnabled: server.isEnabled,
        revision: server.revision,
        ...(server.check === null && { state: null, lastCheck: null }),
        nextCheckAt: server.nextCheckAt ?? clock.now(),
        updatedAt: server.updatedAt,
        updatedBy: scope.userId ?? null,
      };
      await orIfTaken(
        transaction
          .insert(mcpServer)
          .values({ tenantId, id: server.id, name: server.name, createdAt: server.createdAt, ...values })
          .onConflictDoUpdate({ target: mcpServer.id, set: values, setWhere: sql`${mcpServer.tenantId} = ${tenant}` }),
        () =>
          new AppError({ code: 'conflict', message: `There is an MCP server named ${server.name} already.`, details: { path: 'name' } }),
      );
    },

    async remove(id) {
      const rows = await transaction.delete(mcpServer).where(one(id)).returning({ id: mcpServer.id });
      return rows.length > 0;
    },

    async keepClient(id, revision, clientId, sealed) {
      await transaction
        .update(mcpServer)
        .set({ clientId, encryptedClient: sealed.box, clientKeyId: sealed.keyId })
        .where(and(one(id), eq(mcpServer.revision, revision), eq(mcpServer.isClientGiven, false)));
    },

    async recordCheck(id, check, diff) {
      await transaction
        .update(mcpServer)
        .set({
          state: check.state,
          lastCheck: check,
          ...(diff && { lastDiff: { at: check.at.toISOString(), ...diff } }),
        })
        .where(one(id));
    },

    async listTools(id) {
      const rows = await transaction.execute(
        sql`select * from mcp_tool where tenant_id = ${tenant} and server_id = ${toUuid(id)} order by is_listed desc, name`,
      );
      return [...rows].map(toMcpTool);
    },

    async countTools() {
      const rows = await transaction.execute(sql`
        select server_id, count(*) filter (where is_listed)::int as listed, count(*) filter (where is_listed and pending_hash is not null)::int as waiting
        from mcp_tool where tenant_id = ${tenant} group by server_id`);
      return new Map(
        [...rows].map((row) => [
          fromUuid('mcpServer', String(row.server_id)),
          { listed: Number(row.listed), waiting: Number(row.waiting) },
        ]),
      );
    },

    async addTool(serverId, tool) {
      await transaction.insert(mcpTool).values({ tenantId, serverId, id: tool.id, ...toColumns(tool) });
    },

    async changeTool(serverId, toolId, change) {
      const columns = toColumns(change);
      if (Object.keys(columns).length === 0) return;
      await transaction
        .update(mcpTool)
        .set(columns)
        .where(and(eq(mcpTool.tenantId, tenantId), eq(mcpTool.serverId, serverId), eq(mcpTool.id, toolId)));
    },

    async readFigures() {
      const rows = await transaction.execute(sql`
        select s.name, count(*)::int as calls, count(*) filter (where i.state = 'FAILED')::int as failed,
          percentile_disc(0.95) within group (order by i.ms) filter (where i.state = 'SUCCEEDED') as p95_ms
        from mcp_server s join mcp_tool t on t.tenant_id = s.tenant_id and t.server_id = s.id
        cross join lateral (
          select state, requested_at, (extract(epoch from finished_at - requested_at) * 1000)::int as ms from invocation
          where tenant_id = ${tenant} and capability_id = s.name || '.' || t.capability_name
          order by run_id desc limit ${CALLS_PER_TOOL}
        ) i
        where s.tenant_id = ${tenant} and i.requested_at > now() - interval '1 day'
        group by s.name`);
      return new Map(
        [...rows].map((row) => [
          String(row.name),
          { calls: Number(row.calls), failed: Number(row.failed), p95Ms: row.p95_ms === null ? null : Number(row.p95_ms) },
        ]),
      );
    },

    async announce() {
      await transaction.execute(sql`select pg_notify(${MCP_CHANNEL}, ${JSON.stringify({ tenantId })})`);
    },
  };
}

type ToolColumns = Partial<typeof mcpTool.$inferInsert>;

function toColumns(tool: McpTool): Omit<typeof mcpTool.$inferInsert, 'tenantId' | 'serverId' | 'id'>;
function toColumns(tool: Partial<McpTool>): ToolColumns;
function toColumns(tool: Partial<McpTool>): ToolColumns {
  const { pending, id: _id, ...columns } = tool as Partial<McpTool> & { id?: Id<'mcpTool'> };
  return {
    ...columns,
    ...(pending !== undefined && { pendingDefinition: pending?.definition ?? null, pendingHash: pending?.hash ?? null }),
  };
}
