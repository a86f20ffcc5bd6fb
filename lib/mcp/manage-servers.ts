import { AppError, type Id, newId } from '#lib/kernel/index.ts';
import type { Actor } from '#lib/tenancy/index.ts';
import { type CheckServer, checkServer, noServer } from './check-server.ts';
import { sealClient } from './connect-account.ts';
import type { CreateMcpServer, McpServerDetail, McpServersView, SignInBody, UpdateMcpServer } from './contract.ts';
import { describeServer, headersContext, type McpServer } from './domain/server.ts';
import { readFigures, toServerDetail, toServerView } from './server-views.ts';

export interface ManageServers extends CheckServer {
  /** Whether the platform or a plugin has a capability whose id begins with this word. */
  readonly isReservedName: (name: string) => boolean;
  /** Whether the platform or a plugin has a capability of this id. */
  readonly isShadowed: (capabilityId: string) => boolean;
}

/** A workspace has no use for more, and each is a connection. */
const SERVER_LIMIT = 50;

/** The servers of the workspace, and what the operator lets it add. */
export async function listServers({ unitOfWork, programs }: ManageServers, actor: Actor): Promise<McpServersView> {
  return unitOfWork.within(actor.scope, async ({ mcpServers }) => {
    const figuresOf = await readFigures(mcpServers);
    return {
      servers: (await mcpServers.list()).map((server) => toServerView(server, figuresOf(server))),
      programs: [...programs.values()].map(({ key, title }) => ({ key, title })),
    };
  });
}

/** Throws `not_found`. */
export async function getServer({ unitOfWork, isShadowed }: ManageServers, actor: Actor, id: Id<'mcpServer'>): Promise<McpServerDetail> {
  return unitOfWork.within(actor.scope, async ({ mcpServers }) => {
    const server = await mcpServers.find(id);
    if (!server) throw noServer();
    const figuresOf = await readFigures(mcpServers);
    return toServerDetail(server, figuresOf(server), await mcpServers.listTools(id), isShadowed);
  });
}

/**
 * Adds a server and connects to it at once (requirement H-21: configuration is all it takes). A local program must be one of the
 * operator's (known fault K18). Throws `conflict` when the name is taken, `invalid_request` for a name or program that cannot be,
 * `limit_reached` beyond fifty.
 */
export async function createServer(dependencies: ManageServers, actor: Actor, body: CreateMcpServer): Promise<McpServerDetail> {
  const { unitOfWork, clock, isReservedName, programs } = dependencies;
  if (isReservedName(body.name)) {
    const message = `Names of capabilities here begin with ${body.name} already. Choose another name.`;
    throw new AppError({ code: 'invalid_request', message, details: { path: 'name' } });
  }
  if (body.reach.transport === 'stdio' && !programs.has(body.reach.program)) {
    throw new AppError({
      code: 'invalid_request',
      message: 'Local programs are those that the operator offers.',
      details: { path: 'reach.program' },
    });
  }
  requireOneAuth(body, body.reach.transport);
  const id = newId('mcpServer');
  const now = clock.now();
  const server: McpServer = {
    id,
    name: body.name,
    reach: body.reach,
    ...(body.reach.transport === 'http' ? withAuth(dependencies, actor, id, body) : NO_AUTH),
    timeoutMs: body.timeoutMs,
    isEnabled: true,
    revision: 1,
    check: null,
    nextCheckAt: now,
    lastDiff: null,
    createdAt: now,
    updatedAt: now,
  };
  await unitOfWork.within(actor.scope, async ({ mcpServers, audit }) => {
    if ((await mcpServers.list()).length >= SERVER_LIMIT)
      throw new AppError({ code: 'limit_reached', message: `limit reached: a workspace may have ${SERVER_LIMIT} MCP servers` });
    await mcpServers.put(server);
    await audit.record({
      type: 'mcp-server.created',
      target: { kind: 'mcp-server', id, name: server.name },
      details: describeServer(server),
    });
  });
  await checkServer(dependencies, actor.scope, id);
  return getServer(dependencies, actor, id);
}

/** Throws `not_found`, and `invalid_request` for an address given to a local program. What changes how it is reached is checked at once. */
export async function updateServer(
  dependencies: ManageServers,
  actor: Actor,
  id: Id<'mcpServer'>,
  body: UpdateMcpServer,
): Promise<McpServerDetail> {
  const changed = await dependencies.unitOfWork.within(actor.scope, async ({ mcpServers, mcpAccounts, audit }) => {
    const known = await mcpServers.lock(id);
    if (!known) throw noServer();
    if (known.reach.transport === 'stdio' && (body.url !== undefined || Object.keys(body.headers ?? {}).length > 0))
      throw new AppError({
        code: 'invalid_request',
        message: 'A local program has neither address nor headers.',
        details: { path: 'url' },
      });
    requireOneAuth(body, known.reach.transport);
    const next = applyUpdate(dependencies, actor, known, body);
    await mcpServers.put(next);
    // Tokens are for the server that they were asked for: another address or client gets none of them.
    if (next.revision !== known.revision) await mcpAccounts.removeOf(id);
    if (next.isEnabled !== known.isEnabled) await mcpServers.announce();
    await audit.record({
      type: 'mcp-server.updated',
      target: { kind: 'mcp-server', id, name: next.name },
      details: { before: describeServer(known), after: describeServer(next) },
    });
    return { needsCheck: next.isEnabled && (next.revision !== known.revision || !known.isEnabled), isEnabled: next.isEnabled };
  });
  if (!changed.isEnabled) await dependencies.connections.closeServers((_tenant, serverId) => serverId !== id);
  if (changed.needsCheck) await checkServer(dependencies, actor.scope, id);
  return getServer(dependencies, actor, id);
}

/** Throws `not_found`. Its tools are gone with the next call. */
export async function deleteServer({ unitOfWork, connections }: ManageServers, actor: Actor, id: Id<'mcpServer'>): Promise<void> {
  await unitOfWork.within(actor.scope, async ({ mcpServers, audit }) => {
    const known = await mcpServers.lock(id);
    if (!known || !(await mcpServers.remove(id))) throw noServer();
    await mcpServers.announce();
    await audit.record({
      type: 'mcp-server.deleted',
      target: { kind: 'mcp-server', id, name: known.name },
      details: describeServer(known),
    });
  });
  await connections.closeServers((_tenant, serverId) => serverId !== id);
}

/** Connects anew and lists the tools, now. Throws `not_found`; what is wrong with the server is in the answer. */
export async function reconnectServer(dependencies: ManageServers, actor: Actor, id: Id<'mcpServer'>): Promise<McpServerDetail> {
  const { check } = await checkServer(dependencies, actor.scope, id, { isFresh: true });
  await dependencies.unitOfWork.within(actor.scope, async ({ mcpServers, audit }) => {
    const known = await mcpServers.find(id);
    if (!known) throw noServer();
    await audit.record({
      type: 'mcp-server.checked',
      target: { kind: 'mcp-server', id, name: known.name },
      details: { state: check.state, error: check.error },
    });
  });
  return getServer(dependencies, actor, id);
}

function applyUpdate(dependencies: ManageServers, actor: Actor, known: McpServer, body: UpdateMcpServer): McpServer {
  const reach = known.reach.transport === 'http' ? { ...known.reach, url: body.url ?? known.reach.url } : known.reach;
  const hasMoved = reach.transport === 'http' && known.reach.transport === 'http' && reach.url !== known.reach.url;
  const isAuthSent = body.headers !== undefined || body.signIn !== undefined;
  const reachChanges = hasMoved || isAuthSent;
  return {
    ...known,
    reach,
    ...(isAuthSent && withAuth(dependencies, actor, known.id, body)),
    ...(!isAuthSent && hasMoved && withoutSecrets(known)),
    timeoutMs: body.timeoutMs ?? known.timeoutMs,
    isEnabled: body.isEnabled ?? known.isEnabled,
    revision: known.revision + (reachChanges ? 1 : 0),
    check: reachChanges ? null : known.check,
    nextCheckAt: dependencies.clock.now(),
    updatedAt: dependencies.clock.now(),
  };
}

type Auth = Pick<McpServer, 'auth' | 'headerNames' | 'sealedHeaders' | 'signIn'>;
const NO_AUTH: Auth = { auth: 'none', headerNames: [], sealedHeaders: null, signIn: null };

function withAuth(
  { sealer }: ManageServers,
  actor: Actor,
  id: Id<'mcpServer'>,
  { headers = {}, signIn }: { headers?: Readonly<Record<string, string>> | undefined; signIn?: SignInBody | null | undefined },
): Auth {
  const { tenantId } = actor.scope;
  if (signIn) {
    const { clientId, clientSecret, scope } = signIn;
    const client = clientId === null ? null : { id: clientId, secret: clientSecret, authMethod: null };
    const sealedClient = client && sealClient(sealer, tenantId, id, { client, authorizationServer: null, redirectUrl: null });
    return { ...NO_AUTH, auth: 'oauth', signIn: { clientId, isGiven: client !== null, sealedClient, scope } };
  }
  const headerNames = Object.keys(headers);
  if (headerNames.length === 0) return NO_AUTH;
  return { ...NO_AUTH, auth: 'headers', headerNames, sealedHeaders: sealer.seal(JSON.stringify(headers), headersContext(tenantId, id)) };
}

/** What another address gets: how one says who one is, and none of what was said to the old one. */
function withoutSecrets({ signIn }: McpServer): Auth {
  if (!signIn) return NO_AUTH;
  return { ...NO_AUTH, auth: 'oauth', signIn: { clientId: null, isGiven: false, sealedClient: null, scope: signIn.scope } };
}

function requireOneAuth(body: { headers?: object | undefined; signIn?: object | null | undefined }, transport: 'http' | 'stdio'): void {
  if (!body.signIn) return;
  if (transport === 'stdio' || Object.keys(body.headers ?? {}).length > 0)
    throw new AppError({
      code: 'invalid_request',
      message: 'A server where each person signs in is at an address, and takes no headers.',
      details: { path: 'signIn' },
    });
}
