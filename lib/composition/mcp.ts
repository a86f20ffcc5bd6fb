import { type Database, openSql } from '#db/client.ts';
import { createDueMcpServers } from '#db/mcp-queries.ts';
import type { TenantStores } from '#db/stores/index.ts';
import { createMcpChangeFeed } from '#db/stores/mcp-change-feed.ts';
import { createServedToolReader } from '#db/stores/mcp-tool-reader.ts';
import { createAjvArgumentValidator } from '#lib/capabilities/adapters/ajv-argument-validator.ts';
import type { CapabilityRegistry } from '#lib/capabilities/index.ts';
import { type Config, createSecretBox } from '#lib/config/index.ts';
import type { Clock, Id, UnitOfWork } from '#lib/kernel/index.ts';
import { createSdkAuthorizer } from '#lib/mcp/adapters/sdk-authorizer.ts';
import { createSdkConnector } from '#lib/mcp/adapters/sdk-connector.ts';
import { createSdkEndpoint } from '#lib/mcp/adapters/sdk-endpoint.ts';
import type { FinishSignIn } from '#lib/mcp/contract.ts';
import {
  beginSignIn,
  createChecker,
  createMcpCapabilitySource,
  createServer,
  deleteServer,
  disconnectAccount,
  finishSignIn,
  getServer,
  listAccounts,
  listServers,
  type ManageServers,
  McpConnections,
  reconnectServer,
  type ServeCapabilities,
  serveCapabilities,
  tryTool,
  updateServer,
  updateTool,
} from '#lib/mcp/index.ts';
import type { GuardedFetch } from '#lib/outbound/index.ts';
import { log } from '#lib/telemetry/index.ts';
import type { Actor } from '#lib/tenancy/index.ts';

/** What servers are told of us; `package.json` has the same. */
const VERSION = '0.1.0';
/** Servers that one look takes at most; the next look follows soon. */
const CLAIM_LIMIT = 100;

/**
 * MCP servers of tenants: their tools as capabilities, and what may be done with them. Every process connects when it has to
 * call; those that drive runs also look after the servers, each of which one of them takes.
 */
export function composeMcp(parts: {
  config: Config;
  clock: Clock;
  database: Database;
  unitOfWork: UnitOfWork<TenantStores>;
  fetch: GuardedFetch;
}) {
  const { config, clock, database, unitOfWork } = parts;
  const validator = createAjvArgumentValidator();
  const feed = createMcpChangeFeed(database.sql);
  const programs = new Map(config.mcpPrograms.map((program) => [program.key, program]));
  const connections = new McpConnections({
    connector: createSdkConnector({
      fetch: parts.fetch,
      version: VERSION,
      findSchemaFault: (schema) => validator.findSchemaFault(schema),
      idleTimeoutMs: config.mcpIdleMs,
    }),
    clock,
    onToolsChanged: (target) => checker.request(target),
  });
  const accounts = { unitOfWork, clock, sealer: createSecretBox(config.secret), authorizer: createSdkAuthorizer({ fetch: parts.fetch }) };
  const check = { ...accounts, programs, connections };
  const checker = createChecker(check, (error) => log.warn({ err: error }, 'an MCP server could not be checked'));
  const source = createMcpCapabilitySource({ ...check, reader: createServedToolReader(database.sql), feed });
  const platformSql = openSql({ databaseUrl: config.databaseUrl, role: 'bailiwick_platform', max: 1, name: 'mcp' });
  const due = createDueMcpServers(platformSql);
  let timer: NodeJS.Timeout | null = null;

  async function look(isStart: boolean): Promise<void> {
    try {
      // One that drives no runs connects when it has to, and looks after no server.
      const claim = { intervalMs: config.mcpCheckMs, isStart, limit: config.role === 'web' ? 0 : CLAIM_LIMIT };
      for (const found of await due.claimDue(claim)) checker.request(found);
      if (connections.count === 0) return;
      const kept = new Set((await due.listEnabled()).map(({ serverId }) => serverId));
      await connections.closeServers((_tenantId, serverId) => kept.has(serverId));
    } catch (error) {
      log.warn({ err: error }, 'MCP servers could not be looked after');
    }
  }

  return {
    source,
    useCases: (registry: CapabilityRegistry, serve: Omit<ServeCapabilities, 'endpoint'>) => {
      const manage: ManageServers = {
        ...check,
        isReservedName: (name) => registry.listOwnPrefixes().has(name),
        isShadowed: (capabilityId) => registry.isOwn(capabilityId),
      };
      return {
        listMcpServers: listServers.bind(null, manage),
        getMcpServer: getServer.bind(null, manage),
        createMcpServer: createServer.bind(null, manage),
        updateMcpServer: updateServer.bind(null, manage),
        deleteMcpServer: deleteServer.bind(null, manage),
        reconnectMcpServer: reconnectServer.bind(null, manage),
        updateMcpTool: updateTool.bind(null, manage),
        tryMcpTool: tryTool.bind(null, { unitOfWork, ...serve }),
        listMcpAccounts: listAccounts.bind(null, check),
        /** `path`: of the request, under the workspace's API. */
        beginMcpSignIn: (actor: Actor, server: Id<'mcpServer'>, path: string) => {
          const back = path.replace(/\/accounts\/[^/]*$/, '/sign-in');
          return beginSignIn(check, actor, server, new URL(back, config.publicUrl).href);
        },
        finishMcpSignIn: (actor: Actor, { state, code, error, iss }: FinishSignIn) =>
          finishSignIn(check, actor, { state, code: code ?? null, error: error ?? null, issuer: iss ?? null }),
        disconnectMcpAccount: disconnectAccount.bind(null, check),
        /** Our own capabilities, to another program. */
        serveMcp: serveCapabilities.bind(null, { ...serve, endpoint: createSdkEndpoint({ version: VERSION }) }),
      };
    },

    async start() {
      await feed.listen();
      void look(true);
      timer = setInterval(() => void look(false), Math.min(config.mcpCheckMs, 5_000));
    },
    async stop() {
      if (timer) clearInterval(timer);
      await connections.stop();
      await platformSql.end({ timeout: 2 });
    },
  };
}
