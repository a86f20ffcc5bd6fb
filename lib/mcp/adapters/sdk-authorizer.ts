import {
  type AuthorizationServerMetadata,
  checkResourceAllowed,
  discoverOAuthServerInfo,
  exchangeAuthorization,
  extractWWWAuthenticateParams,
  LATEST_PROTOCOL_VERSION,
  OAuthError,
  type OAuthTokens,
  refreshAuthorization,
  registerClient,
  startAuthorization,
} from '@modelcontextprotocol/client';
import { AppError, isAppError, messageOf } from '#lib/kernel/index.ts';
import type { GuardedFetch } from '#lib/outbound/index.ts';
import type { IssuedTokens, McpAuthorizer, SignInPlace } from '../ports.ts';
import { limitFetch } from './limited-fetch.ts';

/** Discovery, registration and tokens are small things. */
const REQUEST_TIMEOUT_MS = 15_000;
/** What the authorization server says no to for good: asking again with the same does not help. */
const FINAL_REFUSALS = new Set(['invalid_grant', 'invalid_client', 'unauthorized_client', 'invalid_scope', 'access_denied']);

/** OAuth 2.1 by the official client's own steps, each through the guarded fetch. */
export function createSdkAuthorizer({ fetch }: { fetch: GuardedFetch }): McpAuthorizer {
  const limited = limitFetch(fetch, () => undefined);
  const fetchFn: GuardedFetch = (input, init) =>
    limited(input, {
      ...init,
      redirect: 'error',
      signal: AbortSignal.any([AbortSignal.timeout(REQUEST_TIMEOUT_MS), ...(init?.signal ? [init.signal] : [])]),
    });

  /** How the server turns away one who says nothing of themselves: it may name where its metadata is, and what it needs. */
  async function askForChallenge(url: URL) {
    const body = {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: LATEST_PROTOCOL_VERSION, capabilities: {}, clientInfo: { name: 'bailiwick', version: '0' } },
    };
    const response = await fetchFn(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify(body),
    });
    await response.body?.cancel();
    return response.status === 401 ? extractWWWAuthenticateParams(response) : {};
  }

  return {
    async discover(url) {
      return orSay('It could not be learnt how one signs in to this server', async () => {
        const challenge = await askForChallenge(url);
        const { resourceMetadataUrl } = challenge;
        const found = await discoverOAuthServerInfo(url, { fetchFn, ...(resourceMetadataUrl && { resourceMetadataUrl }) });
        const { authorizationServerMetadata: metadata, resourceMetadata } = found;
        const resource = resourceMetadata?.resource ?? null;
        if (resource !== null && !checkResourceAllowed({ requestedResource: url, configuredResource: resource }))
          throw new Error(`it says of itself that it is ${resource}`);
        return {
          authorizationServer: found.authorizationServerUrl,
          metadata: metadata ? JSON.stringify(metadata) : null,
          resource: resource ?? withoutHash(url),
          scope: challenge.scope ?? resourceMetadata?.scopes_supported?.join(' ') ?? null,
        };
      });
    },

    async register(place, { redirectUrl, scope }) {
      return orSay('We could not register with its authorization server; an administrator can give a client id', async () => {
        const { client_id, client_secret, token_endpoint_auth_method } = await registerClient(place.authorizationServer, {
          ...metadataOf(place),
          clientMetadata: {
            client_name: 'Bailiwick',
            redirect_uris: [redirectUrl],
            grant_types: ['authorization_code', 'refresh_token'],
            response_types: ['code'],
            token_endpoint_auth_method: methodOf(place),
          },
          ...(scope !== null && { scope }),
          fetchFn,
        });
        return { id: client_id, secret: client_secret ?? null, authMethod: token_endpoint_auth_method ?? null };
      });
    },

    async begin(place, { client, redirectUrl, scope, state }) {
      return orSay('The sign-in could not be begun', async () => {
        const { authorizationUrl, codeVerifier } = await startAuthorization(place.authorizationServer, {
          ...metadataOf(place),
          clientInformation: clientOf(client),
          redirectUrl,
          state,
          resource: place.resource,
          ...(scope !== null && { scope }),
        });
        // It is opened in a browser: nothing but a page will do.
        if (!/^https?:$/.test(authorizationUrl.protocol)) throw new Error(`its sign-in page is at ${authorizationUrl.protocol}`);
        return { authorizationUrl: authorizationUrl.href, codeVerifier };
      });
    },

    async exchange(place, { client, redirectUrl, codeVerifier, code, issuer }) {
      return orSay('The sign-in was not accepted', async () => {
        const tokens = await exchangeAuthorization(place.authorizationServer, {
          ...metadataOf(place),
          clientInformation: clientOf(client),
          authorizationCode: code,
          ...(issuer !== null && { iss: issuer }),
          codeVerifier,
          redirectUri: redirectUrl,
          resource: new URL(place.resource),
          fetchFn,
        });
        return toTokens(tokens);
      });
    },

    async renew(place, { client, refreshToken }) {
      try {
        const tokens = await refreshAuthorization(place.authorizationServer, {
          ...metadataOf(place),
          clientInformation: clientOf(client),
          refreshToken,
          resource: new URL(place.resource),
          fetchFn,
        });
        return toTokens(tokens);
      } catch (error) {
        if (error instanceof OAuthError && FINAL_REFUSALS.has(error.code)) return null;
        throw toUnavailable('The sign-in could not be renewed', error);
      }
    },
  };
}

function metadataOf({ metadata }: SignInPlace): { metadata?: AuthorizationServerMetadata } {
  // Ours: `discover` wrote what the client had parsed.
  return metadata === null ? {} : { metadata: JSON.parse(metadata) as AuthorizationServerMetadata };
}

/** The best of what the authorization server takes; without a word of it, a public client with PKCE. */
function methodOf(place: SignInPlace): string {
  const supported = metadataOf(place).metadata?.token_endpoint_auth_methods_supported ?? [];
  return ['none', 'client_secret_basic', 'client_secret_post'].find((method) => supported.includes(method)) ?? 'none';
}

function clientOf({ id, secret, authMethod }: Parameters<McpAuthorizer['begin']>[1]['client']) {
  return {
    client_id: id,
    ...(secret !== null && { client_secret: secret }),
    ...(authMethod !== null && { token_endpoint_auth_method: authMethod }),
  };
}

function toTokens(tokens: OAuthTokens): IssuedTokens {
  return {
    accessToken: tokens.access_token,
    refreshToken: tokens.refresh_token ?? null,
    expiresInSeconds: tokens.expires_in ?? null,
    scope: tokens.scope ?? null,
  };
}

function withoutHash(url: URL): string {
  const bare = new URL(url);
  bare.hash = '';
  return bare.href;
}

async function orSay<Value>(what: string, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    throw toUnavailable(what, error);
  }
}

function toUnavailable(what: string, error: unknown): AppError {
  for (let cause = error; cause instanceof Error; cause = cause.cause) if (isAppError(cause)) return cause;
  return new AppError({ code: 'unavailable', message: `${what}: ${messageOf(error).slice(0, 300)}.`, cause: error });
}
