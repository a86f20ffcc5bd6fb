import { createHash } from 'node:crypto';
import type { CookiesOptions } from 'next-auth';
import { decode } from 'next-auth/jwt';
import type { Config } from '#lib/config/index.ts';
import { parseId } from '#lib/kernel/index.ts';
import { SIGN_IN_LASTS_MS, type SignedIn } from './sign-in.ts';

/** Cookies that carry the instance's id: two instances on one host, whatever their ports, share a browser's cookies. */
export function sessionCookies(
  config: Pick<Config, 'instanceId' | 'publicUrl'>,
): Pick<CookiesOptions, 'sessionToken' | 'csrfToken' | 'callbackUrl' | 'state' | 'nonce' | 'pkceCodeVerifier'> {
  const secure = config.publicUrl.protocol === 'https:';
  const options = { httpOnly: true, sameSite: 'lax', path: '/', secure } as const;
  const cookie = (prefix: string, name: string) => ({ name: `${secure ? prefix : ''}bailiwick-${name}-${config.instanceId}`, options });
  // For the way to the sign-in provider and back.
  const brief = (name: string) => ({ ...cookie('__Secure-', name), options: { ...options, maxAge: PROVIDER_TRIP_SECONDS } });
  return {
    sessionToken: cookie('__Secure-', 'session'),
    csrfToken: cookie('__Host-', 'csrf'),
    callbackUrl: cookie('__Secure-', 'callback'),
    state: brief('state'),
    nonce: brief('nonce'),
    pkceCodeVerifier: brief('pkce'),
  };
}

/** What next-auth encrypts its cookies with: derived, so that the deployment's secret serves other ends as well. */
export function cookieSecret(config: Pick<Config, 'secret'>): string {
  return createHash('sha256').update(`next-auth:${config.secret}`).digest('hex');
}

/** Reads the cookie of a sign-in. Says nothing about whether the session still serves: its row does. */
export async function findSignedIn(
  config: Pick<Config, 'instanceId' | 'publicUrl' | 'secret'>,
  cookieHeader: string | null,
): Promise<SignedIn | null> {
  const token = findCookie(cookieHeader, sessionCookies(config).sessionToken.name);
  if (!token) return null;
  try {
    return toSignedIn(await decode({ token, secret: cookieSecret(config) }));
  } catch {
    // Forged, expired, or of another secret: as good as none.
    return null;
  }
}

/** The token holds two ids and nothing else: rights and names are read fresh. */
export function toSignedIn(token: Readonly<Record<string, unknown>> | null): SignedIn | null {
  const userId = parseId('user', token?.sub);
  const signInSessionId = parseId('signInSession', token?.signInSessionId);
  return userId && signInSessionId ? { userId, signInSessionId } : null;
}

/** How long somebody may take at the provider. */
const PROVIDER_TRIP_SECONDS = 15 * 60;
export const SESSION_COOKIE_MAX_AGE_SECONDS = SIGN_IN_LASTS_MS / 1000;

export function readCookies(header: string | null): Record<string, string> {
  const pairs = (header ?? '').split(';').flatMap((piece) => {
    const part = piece.trim();
    const at = part.indexOf('=');
    if (at < 1) return [];
    const value = part
      .slice(at + 1)
      .trim()
      .replace(/^"(.*)"$/, '$1');
    return [[part.slice(0, at).trim(), decodeCookie(value)] as const];
  });
  // The first of two cookies with one name is that of the more exact path.
  return Object.fromEntries(pairs.toReversed());
}

function findCookie(header: string | null, name: string): string | undefined {
  const cookies = readCookies(header);
  return Object.hasOwn(cookies, name) ? cookies[name] : undefined;
}

function decodeCookie(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
