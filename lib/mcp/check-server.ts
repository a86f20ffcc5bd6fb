import { AppError, type Id, isAppError, messageOf, newId, type TenantScope } from '#lib/kernel/index.ts';
import type { McpConnections } from './connections.ts';
import { McpConnectFailure } from './domain/connect-failure.ts';
import { isOwnName, plainName } from './domain/resource-tools.ts';
import type { HandshakeStep, McpCheck, McpServer } from './domain/server.ts';
import { hashDefinition, type ListedTool, type McpTool, nameCapability } from './domain/tool.ts';
import { isEmptyDiff, planToolSync, type ToolDiff } from './domain/tool-sync.ts';
import type { McpConnection, McpStores, McpTarget } from './ports.ts';
import { resolveTarget, type TargetDependencies } from './targets.ts';

export interface CheckServer extends TargetDependencies {
  readonly connections: McpConnections;
}

const LIST_TIMEOUT_MS = 60_000;

/**
 * Connects, lists the tools and brings what is kept of them up to date (requirements H-19, H-21); the outcome is kept with its
 * handshake. `isFresh` opens a new connection first. Never throws for what is wrong with the server; throws `not_found`
 * where there is none. The server is asked outside any transaction.
 */
export async function checkServer(
  dependencies: CheckServer,
  scope: TenantScope,
  id: Id<'mcpServer'>,
  options: { isFresh?: boolean } = {},
): Promise<{ check: McpCheck; diff: ToolDiff | null }> {
  const server = await dependencies.unitOfWork.within(scope, ({ mcpServers }) => mcpServers.find(id));
  if (!server) throw noServer();
  const found = await askServer(dependencies, scope, server, options);
  return dependencies.unitOfWork.within(scope, async ({ mcpServers, audit }) => {
    const now = await mcpServers.lock(id);
    if (!now) throw noServer();
    // What was asked of an address says nothing of another one.
    if (now.revision !== server.revision) return { check: found.check, diff: null };
    const diff = found.tools && (await keepTools(dependencies, { mcpServers }, now, found.tools));
    await mcpServers.recordCheck(id, found.check, diff && !isEmptyDiff(diff) ? diff : null);
    if (diff && !isEmptyDiff(diff)) {
      await mcpServers.announce();
      await audit.record({
        type: 'mcp-tools.changed',
        actor: { kind: 'system', id: 'mcp' },
        target: { kind: 'mcp-server', id, name: now.name },
        details: { added: [...diff.added], removed: [...diff.removed], quarantined: [...diff.changed] },
      });
    }
    return { check: found.check, diff };
  });
}

interface Found {
  readonly check: McpCheck;
  readonly tools: readonly ListedTool[] | null;
}

async function askServer(dependencies: CheckServer, scope: TenantScope, server: McpServer, options: { isFresh?: boolean }): Promise<Found> {
  const at = dependencies.clock.now();
  let connection: McpConnection | null = null;
  let steps: readonly HandshakeStep[] = [];
  const started = performance.now();
  try {
    const target = await resolveTarget(dependencies, scope, server);
    connection = await dependencies.connections.get(target, options);
    steps = connection.steps;
    const listing = await connection.listTools(AbortSignal.timeout(LIST_TIMEOUT_MS));
    const step = { step: 'list-tools', ok: true, detail: `${listing.tools.length} · ${listing.pages}`, ms: msSince(started) } as const;
    const check = toCheck({ at, connection, state: 'connected', error: null, handshake: [...steps, step], warnings: listing.warnings });
    return { check, tools: listing.tools };
  } catch (error) {
    const handshake =
      error instanceof McpConnectFailure
        ? error.steps
        : [
            ...steps,
            { step: connection ? 'list-tools' : 'initialize', ok: false, detail: messageOf(error), ms: msSince(started) } as const,
          ];
    const isRefused =
      (error instanceof McpConnectFailure && error.isUnauthorized) || (isAppError(error) && error.code === 'unauthenticated');
    const check = toCheck({
      at,
      connection,
      state: isRefused ? 'sign-in-needed' : 'failed',
      error: messageOf(error),
      handshake,
      warnings: [],
      ...(error instanceof McpConnectFailure && { stderr: error.stderr }),
    });
    return { check, tools: null };
  }
}

function toCheck(
  found: Pick<McpCheck, 'at' | 'state' | 'error' | 'handshake' | 'warnings'> & { connection: McpConnection | null; stderr?: string },
): McpCheck {
  const { connection, stderr, ...rest } = found;
  const about = connection?.about ?? { serverName: null, serverVersion: null, protocolVersion: null, instructions: null };
  return { ...rest, ...about, stderr: stderr ?? connection?.readStderr() ?? '' };
}

async function keepTools(
  { clock }: CheckServer,
  { mcpServers }: Pick<McpStores, 'mcpServers'>,
  server: McpServer,
  listed: readonly ListedTool[],
): Promise<ToolDiff> {
  const known = await mcpServers.listTools(server.id);
  const sync = planToolSync(known, listed);
  const taken = new Set(known.map(({ capabilityName }) => capabilityName));
  for (const next of sync.create) {
    const capabilityName = nameCapability(plainName(next.name), taken);
    taken.add(capabilityName);
    await mcpServers.addTool(server.id, newTool(next, capabilityName, clock.now()));
  }
  for (const { tool, change } of sync.update) await mcpServers.changeTool(server.id, tool.id, change);
  return sync.diff;
}

/** Until somebody who knows better says otherwise, a tool changes the world and may not be repeated: its own hints are no proof. Ours only read. */
function newTool({ name, definition, problem }: ListedTool, capabilityName: string, now: Date): McpTool {
  const isOurs = isOwnName(name);
  return {
    id: newId('mcpTool'),
    name,
    capabilityName,
    definition,
    hash: hashDefinition(definition),
    pending: null,
    problem,
    isListed: true,
    isEnabled: true,
    sideEffect: isOurs ? 'read' : 'write',
    idempotency: isOurs ? 'idempotent' : 'none',
    acceptedAt: now,
  };
}

/** Who is asked to check the same server at the same time shares one check; one more follows for what changed meanwhile. */
export function createChecker(dependencies: CheckServer, onFailure: (error: unknown) => void) {
  const running = new Map<Id<'mcpServer'>, { isAskedAgain: boolean }>();
  return {
    /** In the background; by the account of the person whose connection it is, where each signs in. */
    request({ tenantId, serverId, userId }: Pick<McpTarget, 'tenantId' | 'serverId'> & Partial<Pick<McpTarget, 'userId'>>): void {
      const current = running.get(serverId);
      if (current) {
        current.isAskedAgain = true;
        return;
      }
      const entry = { isAskedAgain: false };
      running.set(serverId, entry);
      checkServer(dependencies, userId ? { tenantId, userId } : { tenantId }, serverId)
        .catch(onFailure)
        .finally(() => {
          running.delete(serverId);
          if (entry.isAskedAgain) this.request({ tenantId, serverId, userId: userId ?? null });
        });
    },
    get runningCount(): number {
      return running.size;
    },
  };
}

function msSince(started: number): number {
  return Math.round(performance.now() - started);
}

export function noServer(): AppError {
  return new AppError({ code: 'not_found', message: 'There is no such MCP server.' });
}
