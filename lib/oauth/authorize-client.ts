import { AppError, type Clock, type UnitOfWork } from '#lib/kernel/index.ts';
import { type Actor, type PlatformUnitOfWork, requirePermission } from '#lib/tenancy/index.ts';
import type { AuthorizationRequest, AuthorizeClient } from './contract.ts';
import { isChallenge } from './domain/proof-key.ts';
import { matchesRedirect, redirectWith } from './domain/redirect-uri.ts';
import type { OAuthClient, OAuthStores, OAuthTenantStores } from './ports.ts';

const CODE_MS = 60_000;

export type AskedAuthorization =
  | { readonly status: 'asked'; readonly client: OAuthClient; readonly redirectUri: string }
  /** Told to the program, which is known. */
  | { readonly status: 'refused'; readonly redirectTo: string }
  /** Told to the person: nobody is sent to an address that no program has registered. */
  | { readonly status: 'unknown' };

interface Dependencies {
  readonly platformUnitOfWork: PlatformUnitOfWork<OAuthStores>;
  readonly clock: Clock;
}

/** Whether a person can be asked what a program wants (RFC 6749 section 4.1.2.1). */
export const readAuthorization =
  (deps: Dependencies & { readonly resource: string }) =>
  async (request: AuthorizationRequest): Promise<AskedAuthorization> => {
    const client = await findClient(deps, request.client_id, request.redirect_uri);
    if (!client) return { status: 'unknown' };
    const refuse = (error: string, description: string): AskedAuthorization => ({
      status: 'refused',
      redirectTo: redirectWith(request.redirect_uri, { error, error_description: description, state: request.state ?? null }),
    });
    if (request.response_type !== 'code') return refuse('unsupported_response_type', 'response_type is "code"');
    if (request.code_challenge_method !== 'S256' || !isChallenge(request.code_challenge))
      return refuse('invalid_request', 'code_challenge of the method S256 is needed');
    if (request.resource !== undefined && request.resource.replace(/\/$/, '') !== deps.resource)
      return refuse('invalid_target', `resource is ${deps.resource}`);
    return { status: 'asked', client, redirectUri: request.redirect_uri };
  };

/**
 * A person lets a program act for them in one workspace. The program fetches its token with the code within a minute, and with
 * the key that it has proved. Only a signed-in person can: a key hands on nothing. Throws `not_found`, `invalid_request`.
 */
export const authorizeClient =
  (
    deps: Dependencies & {
      readonly unitOfWork: UnitOfWork<OAuthTenantStores>;
      readonly linkTokens: { mint(): { token: string; hash: string } };
    },
  ) =>
  async (actor: Actor, body: AuthorizeClient): Promise<{ redirectTo: string }> => {
    requirePermission(actor, 'capability:invoke');
    if (actor.kind !== 'user') throw new AppError({ code: 'invalid_request', message: 'Only a person who is signed in can allow this.' });
    if (!isChallenge(body.codeChallenge))
      throw new AppError({ code: 'invalid_request', message: 'codeChallenge is not of the method S256' });
    const client = await findClient(deps, body.clientId, body.redirectUri);
    if (!client) throw new AppError({ code: 'not_found', message: 'There is no such program.' });
    const { token, hash } = deps.linkTokens.mint();
    await deps.unitOfWork.within(actor.scope, async ({ oauth, audit }) => {
      await oauth.addCode({
        hash,
        clientId: client.id,
        tenantId: actor.scope.tenantId,
        userId: actor.scope.userId,
        redirectUri: body.redirectUri,
        codeChallenge: body.codeChallenge,
        expiresAt: new Date(deps.clock.now().getTime() + CODE_MS),
      });
      await audit.record({
        type: 'oauth.allowed',
        target: { kind: 'program', id: client.id, name: client.name },
        details: { redirectUri: body.redirectUri },
      });
    });
    return { redirectTo: redirectWith(body.redirectUri, { code: token, state: body.state }) };
  };

async function findClient({ platformUnitOfWork }: Dependencies, id: string, redirectUri: string): Promise<OAuthClient | null> {
  const client = await platformUnitOfWork.within({}, ({ oauth }) => oauth.findClient(id));
  return client && matchesRedirect(client.redirectUris, redirectUri) ? client : null;
}
