import { type Clock, type Id, newId, type UnitOfWork } from '#lib/kernel/index.ts';
import type { ApiKeyMint, PlatformUnitOfWork } from '#lib/tenancy/index.ts';
import { OAuthRefusal } from './domain/oauth-refusal.ts';
import { PROGRAM_PERMISSIONS } from './domain/program-permissions.ts';
import { provesChallenge } from './domain/proof-key.ts';
import type { OAuthClient, OAuthStores, OAuthTenantStores } from './ports.ts';

const ACCESS_MS = 3_600_000;
const REFRESH_MS = 30 * 24 * 3_600_000;

export interface IssuedToken {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly expiresInSeconds: number;
}

export interface ExchangeToken {
  readonly platformUnitOfWork: PlatformUnitOfWork<OAuthStores>;
  readonly unitOfWork: UnitOfWork<OAuthTenantStores>;
  readonly clock: Clock;
  readonly apiKeyMint: ApiKeyMint;
  readonly linkTokens: { mint(): { token: string; hash: string }; hash(token: string): string };
}

/** The form of a token request, by its names in the protocol (RFC 6749 sections 4.1.3 and 6). */
export type TokenRequest = ReadonlyMap<string, string>;

/**
 * An access token for a code or a refresh token. It is an API key of the person for an hour, so it is listed, limited, revoked and
 * recorded as every key. A code or a refresh token that is presented twice was stolen, from one or the other: its key is revoked.
 * Throws `OAuthRefusal`.
 */
export const exchangeToken =
  (deps: ExchangeToken) =>
  async (request: TokenRequest): Promise<IssuedToken> => {
    const client = await deps.platformUnitOfWork.within({}, ({ oauth }) => oauth.findClient(request.get('client_id') ?? ''));
    if (!client) throw new OAuthRefusal('invalid_client', 'There is no such program: register first');
    switch (request.get('grant_type')) {
      case 'authorization_code':
        return exchangeCode(deps, client, request);
      case 'refresh_token':
        return refresh(deps, client, request);
      default:
        throw new OAuthRefusal('unsupported_grant_type', 'grant_type is "authorization_code" or "refresh_token"');
    }
  };

async function exchangeCode(deps: ExchangeToken, client: OAuthClient, request: TokenRequest): Promise<IssuedToken> {
  const hash = deps.linkTokens.hash(request.get('code') ?? '');
  const code = await deps.platformUnitOfWork.within({}, ({ oauth }) => oauth.findCode(hash));
  if (!code || code.clientId !== client.id) throw invalidGrant();
  const { tenantId, userId } = code;
  if (code.apiKeyId) await revoke(deps, { ...code, apiKeyId: code.apiKeyId }, client);
  if (code.apiKeyId || code.expiresAt <= deps.clock.now() || request.get('redirect_uri') !== code.redirectUri) throw invalidGrant();
  if (!provesChallenge(request.get('code_verifier') ?? '', code.codeChallenge)) throw invalidGrant();
  const id = newId('apiKey');
  const { key, hint, hash: keyHash } = deps.apiKeyMint.mint();
  const expiresAt = new Date(deps.clock.now().getTime() + ACCESS_MS);
  return deps.unitOfWork.within({ tenantId, userId }, async ({ oauth, apiKeys, audit }) => {
    await apiKeys.add({ id, name: client.name, hint, hash: keyHash, userId, scopes: PROGRAM_PERMISSIONS, expiresAt });
    if (!(await oauth.takeCode(hash, id))) throw invalidGrant();
    await audit.record({
      type: 'api-key.created',
      actor: { kind: 'user', id: userId },
      target: { kind: 'api-key', id, name: client.name },
      details: { scopes: [...PROGRAM_PERMISSIONS], expiresAt: expiresAt.toISOString(), program: client.id },
    });
    return issue(deps, oauth, { key, tenantId, userId, apiKeyId: id, clientId: client.id });
  });
}

async function refresh(deps: ExchangeToken, client: OAuthClient, request: TokenRequest): Promise<IssuedToken> {
  const hash = deps.linkTokens.hash(request.get('refresh_token') ?? '');
  const token = await deps.platformUnitOfWork.within({}, ({ oauth }) => oauth.findRefresh(hash));
  if (!token || token.clientId !== client.id) throw invalidGrant();
  const { tenantId, userId, apiKeyId } = token;
  if (token.isUsed) await revoke(deps, token, client);
  if (token.isUsed || token.expiresAt <= deps.clock.now()) throw invalidGrant();
  const { key, hint, hash: keyHash } = deps.apiKeyMint.mint();
  return deps.unitOfWork.within({ tenantId, userId }, async ({ oauth, apiKeys }) => {
    if (!(await oauth.takeRefresh(hash))) throw invalidGrant();
    const expiresAt = new Date(deps.clock.now().getTime() + ACCESS_MS);
    // Revoked meanwhile, by its person or an admin: what renews it serves no more.
    if (!(await apiKeys.renew(apiKeyId, { hash: keyHash, hint, expiresAt }))) throw invalidGrant();
    return issue(deps, oauth, { key, tenantId, userId, apiKeyId, clientId: client.id });
  });
}

async function issue(
  { linkTokens, clock }: ExchangeToken,
  oauth: OAuthStores['oauth'],
  { key, ...of }: { key: string; tenantId: Id<'tenant'>; userId: Id<'user'>; apiKeyId: Id<'apiKey'>; clientId: string },
): Promise<IssuedToken> {
  const { token, hash } = linkTokens.mint();
  await oauth.addRefresh({ ...of, hash, expiresAt: new Date(clock.now().getTime() + REFRESH_MS) });
  return { accessToken: key, refreshToken: token, expiresInSeconds: ACCESS_MS / 1_000 };
}

/** In a transaction of its own: the refusal that follows must not take it back. */
async function revoke(
  { unitOfWork, clock }: ExchangeToken,
  { tenantId, userId, apiKeyId }: { tenantId: Id<'tenant'>; userId: Id<'user'>; apiKeyId: Id<'apiKey'> },
  client: OAuthClient,
): Promise<void> {
  await unitOfWork.within({ tenantId, userId }, async ({ apiKeys, audit }) => {
    await apiKeys.revoke(apiKeyId, clock.now());
    await audit.record({
      type: 'api-key.revoked',
      actor: { kind: 'user', id: userId },
      target: { kind: 'api-key', id: apiKeyId, name: client.name },
      details: { reason: 'presented_twice' },
    });
  });
}

function invalidGrant(): OAuthRefusal {
  return new OAuthRefusal('invalid_grant', 'This was used, has expired, or was never given to this program');
}
