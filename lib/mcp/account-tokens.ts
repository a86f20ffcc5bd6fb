import { z } from 'zod';
import type { Sealed } from '#lib/config/index.ts';
import { AppError, type Clock, type Id, type TenantScope, type UnitOfWork } from '#lib/kernel/index.ts';
import { accountContext, connectAgain, connectFirst, connectForMore, joinScopes, type McpAccount } from './domain/account.ts';
import type { McpServer } from './domain/server.ts';
import type { IssuedTokens, McpAuthorizer, McpSignIn, McpStores, SecretSealer } from './ports.ts';

export interface AccountDependencies {
  readonly unitOfWork: UnitOfWork<McpStores>;
  readonly authorizer: McpAuthorizer;
  readonly sealer: SecretSealer;
  readonly clock: Clock;
}

export const signInPlace = z.object({
  authorizationServer: z.string(),
  metadata: z.string().nullable(),
  resource: z.string(),
  scope: z.string().nullable(),
});

export const signInClient = z.object({ id: z.string(), secret: z.string().nullable(), authMethod: z.string().nullable() });

/** What is sealed of an account: its tokens, and where and as whom they are renewed. */
const keptTokens = z.object({ access: z.string(), refresh: z.string().nullable(), place: signInPlace, client: signInClient });
type KeptTokens = z.infer<typeof keptTokens>;

/** A token that ends sooner is renewed before it is used. */
const MARGIN_MS = 30_000;
/** Longer than a renewal can take: a process that died while it renewed is not waited for longer. */
const RENEWAL_MS = 30_000;
const LOOK_AGAIN_MS = 100;

interface Owner {
  readonly scope: TenantScope & { readonly userId: Id<'user'> };
  readonly server: Pick<McpServer, 'id' | 'name'>;
}

/**
 * A person's own sign-in to a server. Each of its steps reads what is kept, so that every process sees the same; throws
 * `unauthenticated` with the next step for the person where they have to connect, and `unavailable` where the authorization
 * server cannot be reached.
 */
export async function openSignIn(
  dependencies: AccountDependencies,
  scope: TenantScope,
  server: Pick<McpServer, 'id' | 'name'>,
): Promise<McpSignIn & { readonly userId: Id<'user'> }> {
  const { userId } = scope;
  // Nobody's account serves the platform's own ends.
  if (userId === undefined) throw connectFirst(server.name);
  const owner: Owner = { scope: { ...scope, userId }, server };
  const first = await readConnected(dependencies, owner);
  return {
    userId,
    since: first.connectedAt?.getTime() ?? 0,
    async readToken() {
      const account = await readConnected(dependencies, owner);
      if (account.expiresAt && account.expiresAt.getTime() - MARGIN_MS <= dependencies.clock.now().getTime())
        return renew(dependencies, owner, account);
      return openTokens(dependencies, owner, account).access;
    },
    async renew(refused) {
      const account = await readConnected(dependencies, owner);
      const { access } = openTokens(dependencies, owner, account);
      // Another has renewed since.
      return access === refused ? renew(dependencies, owner, account) : access;
    },
    async giveUp(refused) {
      const account = await readConnected(dependencies, owner);
      if (openTokens(dependencies, owner, account).access === refused) await lapse(dependencies, owner, account);
      throw connectAgain(server.name);
    },
    async askForMore(wanted) {
      const account = await readConnected(dependencies, owner);
      const wantedScope = joinScopes(account.scope, account.wantedScope, wanted);
      await dependencies.unitOfWork.within(owner.scope, ({ mcpAccounts }) => mcpAccounts.wantScope(account.id, wantedScope));
      throw connectForMore(server.name, wanted);
    },
  };
}

/** Throws `unauthenticated` where its person has to connect. */
async function readConnected({ unitOfWork }: AccountDependencies, { scope, server }: Owner): Promise<McpAccount> {
  const account = await unitOfWork.within(scope, ({ mcpAccounts }) => mcpAccounts.find(server.id, scope.userId));
  if (!account?.sealedTokens) throw account?.isLapsed ? connectAgain(server.name) : connectFirst(server.name);
  return account;
}

function openTokens({ sealer }: AccountDependencies, { scope, server }: Owner, { sealedTokens }: McpAccount): KeptTokens {
  if (!sealedTokens) throw connectFirst(server.name);
  return keptTokens.parse(JSON.parse(sealer.open(sealedTokens, accountContext(scope.tenantId, server.id, scope.userId))));
}

/** Seals what an authorization server issued; what it does not issue anew (a refresh token) is kept. */
export function sealTokens(
  { sealer, clock }: Pick<AccountDependencies, 'sealer' | 'clock'>,
  { scope, server }: Owner,
  issued: IssuedTokens,
  kept: Pick<KeptTokens, 'refresh' | 'place' | 'client'>,
): { readonly sealedTokens: Sealed; readonly expiresAt: Date | null } {
  const tokens: KeptTokens = { ...kept, access: issued.accessToken, refresh: issued.refreshToken ?? kept.refresh };
  const { expiresInSeconds } = issued;
  return {
    sealedTokens: sealer.seal(JSON.stringify(tokens), accountContext(scope.tenantId, server.id, scope.userId)),
    expiresAt: expiresInSeconds === null ? null : new Date(clock.now().getTime() + expiresInSeconds * 1000),
  };
}

/**
 * The new access token. Of all who find the same one used up, in whichever process, one asks the authorization server; the
 * others wait for what it gets, and take over where it died. The network is asked outside any transaction.
 */
async function renew(dependencies: AccountDependencies, owner: Owner, used: McpAccount): Promise<string> {
  const { unitOfWork, authorizer } = dependencies;
  const { server, scope } = owner;
  for (;;) {
    const isOurs = await unitOfWork.within(scope, ({ mcpAccounts }) => mcpAccounts.claimRenewal(used.id, used.version, RENEWAL_MS));
    if (isOurs) break;
    const now = await readConnected(dependencies, owner);
    if (now.version !== used.version) return openTokens(dependencies, owner, now).access;
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
  }
  const { refresh, place, client } = openTokens(dependencies, owner, used);
  if (refresh === null) {
    await lapse(dependencies, owner, used);
    throw connectAgain(server.name);
  }
  let issued: IssuedTokens | null;
  try {
    issued = await authorizer.renew(place, { client, refreshToken: refresh });
  } catch (error) {
    await unitOfWork.within(scope, ({ mcpAccounts }) => mcpAccounts.endRenewal(used.id, used.version));
    throw error;
  }
  if (!issued) {
    await lapse(dependencies, owner, used);
    throw connectAgain(server.name);
  }
  const sealed = sealTokens(dependencies, owner, issued, { refresh, place, client });
  const isKept = await unitOfWork.within(scope, ({ mcpAccounts }) =>
    mcpAccounts.keepRenewed(used.id, used.version, { ...sealed, scope: issued.scope ?? used.scope }),
  );
  // Signed out or connected anew meanwhile: what came is of no more use.
  if (!isKept) throw new AppError({ code: 'conflict', message: `Your account at ${server.name} was changed meanwhile. Ask again.` });
  return issued.accessToken;
}

function lapse({ unitOfWork }: AccountDependencies, { scope }: Owner, { id, version }: McpAccount): Promise<void> {
  return unitOfWork.within(scope, ({ mcpAccounts }) => mcpAccounts.lapse(id, version));
}
