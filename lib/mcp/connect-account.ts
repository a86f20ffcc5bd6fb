import { createHash, randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { Sealed } from '#lib/config/index.ts';
import { AppError, type Id, isAppError, newId } from '#lib/kernel/index.ts';
import type { Actor } from '#lib/tenancy/index.ts';
import { type AccountDependencies, sealTokens, signInClient, signInPlace } from './account-tokens.ts';
import { type CheckServer, checkServer, noServer } from './check-server.ts';
import type { McpAccountsView, McpAccountView } from './contract.ts';
import { accountContext, clientContext, joinScopes } from './domain/account.ts';
import type { McpServer } from './domain/server.ts';
import type { SecretSealer, SignInClient, SignInPlace } from './ports.ts';

export interface ConnectAccount extends AccountDependencies, CheckServer {}

/** A sign-in that takes longer was left. */
const SIGN_IN_MS = 10 * 60_000;

/** As whom we speak to an authorization server. A registration of ours is for one of them and one address to come back to. */
const keptClient = z.object({ client: signInClient, authorizationServer: z.string().nullable(), redirectUrl: z.string().nullable() });

/** What the answer to a sign-in is checked against. */
const pendingSignIn = z.object({
  codeVerifier: z.string(),
  redirectUrl: z.string(),
  place: signInPlace,
  client: signInClient,
  revision: z.number(),
});

/** The servers where each person signs in, and how the sender stands with each. */
export async function listAccounts({ unitOfWork }: ConnectAccount, actor: Actor): Promise<McpAccountsView> {
  const { userId } = actor.scope;
  return unitOfWork.within(actor.scope, async ({ mcpServers, mcpAccounts }) => {
    const servers = (await mcpServers.list()).filter(({ auth, isEnabled }) => auth === 'oauth' && isEnabled);
    const own = new Map((await mcpAccounts.listOf(userId)).map((account) => [account.serverId, account]));
    return {
      accounts: servers.map(({ id, name, reach }): McpAccountView => {
        const account = own.get(id);
        const state = account?.sealedTokens ? 'connected' : account?.isLapsed ? 'lapsed' : 'none';
        return {
          server: id,
          name,
          url: reach.transport === 'http' ? reach.url : '',
          state,
          scope: state === 'connected' ? (account?.scope ?? null) : null,
          wantsMore: state === 'connected' && typeof account?.wantedScope === 'string',
          connectedAt: state === 'connected' ? (account?.connectedAt?.toISOString() ?? null) : null,
        };
      }),
    };
  });
}

/**
 * Where the person goes to sign in (OAuth 2.1 with PKCE). `redirectUrl` is where they come back to. Throws `not_found`, and
 * `unavailable` where the server does not say how one signs in.
 */
export async function beginSignIn(
  dependencies: ConnectAccount,
  actor: Actor,
  id: Id<'mcpServer'>,
  redirectUrl: string,
): Promise<{ authorizationUrl: string }> {
  const { unitOfWork, authorizer, sealer, clock } = dependencies;
  const { tenantId, userId } = actor.scope;
  const { server, account } = await unitOfWork.within(actor.scope, async ({ mcpServers, mcpAccounts }) => ({
    server: await mcpServers.find(id),
    account: await mcpAccounts.find(id, userId),
  }));
  if (server?.auth !== 'oauth' || !server.isEnabled || server.reach.transport !== 'http') throw noServer();
  const place = await authorizer.discover(new URL(server.reach.url));
  const scope = joinScopes(server.signIn?.scope ?? place.scope, account?.wantedScope);
  const client = await findClient(dependencies, actor, server, place, { redirectUrl, scope });
  const state = randomBytes(32).toString('base64url');
  const { authorizationUrl, codeVerifier } = await authorizer.begin(place, { client, redirectUrl, scope, state });
  const pending: z.infer<typeof pendingSignIn> = { codeVerifier, redirectUrl, place, client, revision: server.revision };
  await unitOfWork.within(actor.scope, ({ mcpAccounts }) =>
    mcpAccounts.beginSignIn({
      id: newId('mcpAccount'),
      serverId: id,
      userId,
      stateHash: hashState(state),
      sealed: sealer.seal(JSON.stringify(pending), accountContext(tenantId, id, userId)),
      expiresAt: new Date(clock.now().getTime() + SIGN_IN_MS),
    }),
  );
  return { authorizationUrl };
}

export type SignInEnd = { readonly end: 'connected'; readonly server: string } | { readonly end: 'unknown' | 'declined' | 'refused' };

/**
 * Ends a sign-in that the same person began here, once. `unknown`: nobody here began it, another person did, or it is too old;
 * `declined`: the person or the server said no; `refused`: the code was not worth tokens.
 */
export async function finishSignIn(
  dependencies: ConnectAccount,
  actor: Actor,
  answer: { state: string; code: string | null; error: string | null; issuer: string | null },
): Promise<SignInEnd> {
  const { unitOfWork, authorizer, sealer } = dependencies;
  const { tenantId, userId } = actor.scope;
  const taken = await unitOfWork.within(actor.scope, ({ mcpAccounts }) => mcpAccounts.takeSignIn(userId, hashState(answer.state)));
  if (!taken) return { end: 'unknown' };
  if (answer.error !== null || answer.code === null) return { end: 'declined' };
  const { serverId, sealed } = taken;
  const pending = pendingSignIn.parse(JSON.parse(sealer.open(sealed, accountContext(tenantId, serverId, userId))));
  const { place, client } = pending;
  try {
    const issued = await authorizer.exchange(place, { ...pending, code: answer.code, issuer: answer.issuer });
    const name = await unitOfWork.within(actor.scope, async ({ mcpServers, mcpAccounts, audit }) => {
      const server = await mcpServers.lock(serverId);
      // Tokens are for the server that they were asked for, and no other that has taken its place.
      if (server?.auth !== 'oauth' || server.revision !== pending.revision) throw noServer();
      const tokens = sealTokens(dependencies, { scope: actor.scope, server }, issued, { refresh: null, place, client });
      await mcpAccounts.connect(taken.id, { ...tokens, scope: issued.scope });
      await audit.record({
        type: 'mcp-account.connected',
        target: { kind: 'mcp-server', id: serverId, name: server.name },
        details: { scope: issued.scope, authorizationServer: place.authorizationServer },
      });
      return server.name;
    });
    await checkServer(dependencies, actor.scope, serverId);
    return { end: 'connected', server: name };
  } catch (error) {
    if (isAppError(error) && (error.code === 'unavailable' || error.code === 'not_found')) return { end: 'refused' };
    throw error;
  }
}

/** Forgets the sender's own tokens, at once in every process. Throws `not_found` where there are none. */
export async function disconnectAccount({ unitOfWork, connections }: ConnectAccount, actor: Actor, id: Id<'mcpServer'>): Promise<void> {
  const { userId } = actor.scope;
  await unitOfWork.within(actor.scope, async ({ mcpServers, mcpAccounts, audit }) => {
    const server = await mcpServers.find(id);
    if (!server) throw noServer();
    if (!(await mcpAccounts.remove(id, userId))) throw new AppError({ code: 'not_found', message: 'Your account is not connected.' });
    await audit.record({ type: 'mcp-account.disconnected', target: { kind: 'mcp-server', id, name: server.name }, details: {} });
  });
  await connections.closeAccount(id, userId);
}

/** The administrator's client, or the one that we registered; registers where there is none for this place. */
async function findClient(
  { unitOfWork, authorizer, sealer }: ConnectAccount,
  actor: Actor,
  server: McpServer,
  place: SignInPlace,
  asked: { redirectUrl: string; scope: string | null },
): Promise<SignInClient> {
  const { tenantId } = actor.scope;
  const sealed = server.signIn?.sealedClient;
  const kept = sealed ? keptClient.parse(JSON.parse(sealer.open(sealed, clientContext(tenantId, server.id)))) : null;
  if (kept && server.signIn?.isGiven) return kept.client;
  if (kept?.authorizationServer === place.authorizationServer && kept.redirectUrl === asked.redirectUrl) return kept.client;
  const client = await authorizer.register(place, asked);
  const box = sealClient(sealer, tenantId, server.id, {
    client,
    authorizationServer: place.authorizationServer,
    redirectUrl: asked.redirectUrl,
  });
  await unitOfWork.within(actor.scope, ({ mcpServers }) => mcpServers.keepClient(server.id, server.revision, client.id, box));
  return client;
}

export function sealClient(
  sealer: SecretSealer,
  tenantId: Id<'tenant'>,
  serverId: Id<'mcpServer'>,
  kept: z.infer<typeof keptClient>,
): Sealed {
  return sealer.seal(JSON.stringify(kept), clientContext(tenantId, serverId));
}

function hashState(state: string): string {
  return createHash('sha256').update(state).digest('hex');
}
