import { z } from 'zod';
import { AppError } from '#lib/kernel/index.ts';
import type { GuardedFetch, OutboundGuard } from '#lib/outbound/index.ts';
import type { OidcSettings } from './ports.ts';

const DISCOVERY_TIMEOUT_MS = 5_000;
/** Providers change their keys' address once in years, and their keys are read anew by the library as it needs them. */
const DISCOVERY_LASTS_MS = 10 * 60_000;

const metadata = z.object({
  issuer: z.string(),
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  jwks_uri: z.url(),
  token_endpoint_auth_methods_supported: z.array(z.string()).optional(),
});

/** What next-auth needs of the provider to speak its protocol. */
export interface OidcProvider {
  readonly settings: OidcSettings;
  readonly issuer: string;
  readonly authorizationUrl: string;
  readonly tokenUrl: string;
  readonly keysUrl: string;
  /** How the client's secret travels; null: the library's default, by HTTP basic authentication. */
  readonly authMethod: 'client_secret_post' | null;
  readonly lookup: OutboundGuard['lookup'];
}

/**
 * Reads the provider's own description through the guarded door, at the first sign-in and again after ten minutes; a failure
 * is not kept. The library then opens its connections itself: each address it is given has passed the guard, and what a name
 * leads to passes it again as it connects. Throws `unavailable`, with the reason as cause.
 */
export function createOidcClient({
  settings,
  guardedFetch,
  guard,
  now,
}: {
  settings: OidcSettings;
  guardedFetch: GuardedFetch;
  guard: OutboundGuard;
  now: () => Date;
}): () => Promise<OidcProvider> {
  let held: { readonly provider: OidcProvider; readonly until: number } | null = null;
  return async () => {
    if (held && held.until > now().getTime()) return held.provider;
    try {
      const provider = await discover({ settings, guardedFetch, guard });
      held = { provider, until: now().getTime() + DISCOVERY_LASTS_MS };
      return provider;
    } catch (error) {
      throw new AppError({
        code: 'unavailable',
        message: 'The sign-in provider cannot be reached.',
        details: { reason: 'provider-down' },
        cause: error,
      });
    }
  };
}

async function discover({
  settings,
  guardedFetch,
  guard,
}: {
  settings: OidcSettings;
  guardedFetch: GuardedFetch;
  guard: OutboundGuard;
}): Promise<OidcProvider> {
  const issuer = settings.issuer.replace(/\/$/, '');
  const response = await guardedFetch(`${issuer}/.well-known/openid-configuration`, {
    headers: { accept: 'application/json' },
    signal: AbortSignal.timeout(DISCOVERY_TIMEOUT_MS),
  });
  if (!response.ok) throw new Error(`discovery answered ${response.status}`);
  const found = metadata.parse(await response.json());
  // A description that speaks for another issuer would let that one's people in (OpenID Connect Discovery 4.3).
  if (found.issuer.replace(/\/$/, '') !== issuer) throw new Error(`discovery speaks for ${found.issuer}`);
  for (const address of [found.token_endpoint, found.jwks_uri]) guard.requireAllowed(new URL(address));
  const methods = found.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  return {
    settings,
    issuer: found.issuer,
    authorizationUrl: found.authorization_endpoint,
    tokenUrl: found.token_endpoint,
    keysUrl: found.jwks_uri,
    authMethod: !methods.includes('client_secret_basic') && methods.includes('client_secret_post') ? 'client_secret_post' : null,
    lookup: guard.lookup,
  };
}
