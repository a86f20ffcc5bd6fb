import type { OAuthConfig } from 'next-auth/providers/oauth';
import type { OidcProvider } from './oidc-client.ts';

/** The provider's name in next-auth's addresses: `/api/auth/callback/oidc` is what is registered there. */
export const OIDC_PROVIDER_ID = 'oidc';
const CALL_TIMEOUT_MS = 5_000;

/** The provider as next-auth takes it: with PKCE, state and nonce, and the person's claims from the ID token alone. */
export function nextAuthOidc(provider: OidcProvider): OAuthConfig<{ sub: string }> {
  const { settings, authMethod } = provider;
  return {
    id: OIDC_PROVIDER_ID,
    name: OIDC_PROVIDER_ID,
    type: 'oauth',
    issuer: provider.issuer,
    authorization: { url: provider.authorizationUrl, params: { scope: settings.scope } },
    token: { url: provider.tokenUrl },
    jwks_endpoint: provider.keysUrl,
    idToken: true,
    checks: ['pkce', 'state', 'nonce'],
    clientId: settings.clientId,
    clientSecret: settings.clientSecret,
    ...(authMethod && { client: { token_endpoint_auth_method: authMethod } }),
    httpOptions: { timeout: CALL_TIMEOUT_MS, lookup: provider.lookup },
    profile: ({ sub }) => ({ id: sub }),
  };
}
