import type { Config } from '#lib/config/index.ts';
import type { Credentials } from '#lib/tenancy/index.ts';
import { findApiKeyHash } from './api-key-mint.ts';
import { findSignedIn } from './session-cookie.ts';

/**
 * What a request brings to prove who sends it: an API key as bearer token, else the cookie of a sign-in. A request with an
 * `Authorization` header is judged by it alone: a bad key never falls back on a cookie.
 */
export async function readCredentials(
  config: Pick<Config, 'instanceId' | 'publicUrl' | 'secret'>,
  headers: Headers,
): Promise<Credentials | null> {
  const authorization = headers.get('authorization');
  if (authorization !== null) {
    const hash = findApiKeyHash(/^Bearer +(\S+)$/i.exec(authorization)?.[1] ?? '');
    return hash ? { kind: 'api-key', hash } : null;
  }
  const signedIn = await findSignedIn(config, headers.get('cookie'));
  return signedIn ? { kind: 'sign-in', ...signedIn } : null;
}
