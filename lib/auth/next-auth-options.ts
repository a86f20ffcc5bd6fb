import type { AuthOptions } from 'next-auth';
import { AppError, isAppError } from '#lib/kernel/index.ts';
import { log } from '#lib/telemetry/index.ts';
import { classifyProtocolFailure, type OidcRefusal } from './domain/oidc-refusal.ts';
import { nextAuthOidc, OIDC_PROVIDER_ID } from './next-auth-oidc.ts';
import type { OidcProvider } from './oidc-client.ts';
import { findPeer } from './peer.ts';
import type { Sender } from './ports.ts';
import type { AuthRuntime } from './runtime.ts';
import { cookieSecret, SESSION_COOKIE_MAX_AGE_SECONDS, sessionCookies, toSignedIn } from './session-cookie.ts';
import type { SignedIn } from './sign-in.ts';
import { isTrustedByAddress } from './trust-rule.ts';

export interface NextAuthRequest {
  readonly headers: Headers;
  /** The sign-in provider, where this request is about it. */
  readonly oidc: OidcProvider | null;
  /** Hears the true reason of a refusal, since next-auth passes on its words alone. */
  readonly onRefused: (error: AppError) => void;
  /** Hears what the provider's protocol failed on, before anybody was known. */
  readonly onProtocolFailure: (refusal: OidcRefusal) => void;
}

/**
 * next-auth's settings for one request. It keeps the protocol (providers, CSRF token, encrypted cookie); who may sign in and
 * whether a session still serves is ours.
 */
export function nextAuthOptions(runtime: AuthRuntime, { headers, oidc, onRefused, onProtocolFailure }: NextAuthRequest): AuthOptions {
  const { config } = runtime;
  // Whom the provider's answer stood for: next-auth hands on the subject alone.
  let byProvider: SignedIn | null = null;
  const provider = (id: string, signIn: (given: unknown) => Promise<SignedIn>) => ({
    id,
    name: id,
    type: 'credentials' as const,
    credentials: {},
    authorize: async (given: unknown) => {
      try {
        const { userId, signInSessionId } = await signIn(given);
        return { id: userId, signInSessionId };
      } catch (error) {
        onRefused(isAppError(error) ? error : internal(error));
        throw new Error(isAppError(error) ? error.code : 'internal', { cause: error });
      }
    },
  });
  const sender = senderOf(headers);
  return {
    secret: cookieSecret(config),
    useSecureCookies: config.publicUrl.protocol === 'https:',
    cookies: sessionCookies(config),
    session: { strategy: 'jwt', maxAge: SESSION_COOKIE_MAX_AGE_SECONDS },
    pages: { signIn: '/sign-in', signOut: '/sign-in', error: '/sign-in' },
    providers: [
      provider('password', (given) => runtime.signInWithPassword(given, sender)),
      provider('demo', () => runtime.signInToDemo({ ...sender, isTrusted: isTrustedByAddress(config, headers) })),
      ...(oidc ? [nextAuthOidc(oidc)] : []),
    ],
    callbacks: {
      async signIn({ account, profile }) {
        if (account?.provider !== OIDC_PROVIDER_ID) return true;
        try {
          byProvider = await runtime.signInWithOidc(profile, sender);
          return true;
        } catch (error) {
          onRefused(isAppError(error) ? error : internal(error));
          return false;
        }
      },
      async jwt({ token, user, account }) {
        const ids = user ? { sub: user.id, signInSessionId: 'signInSessionId' in user ? user.signInSessionId : null } : token;
        const signedIn = account?.provider === OIDC_PROVIDER_ID ? byProvider : toSignedIn(ids);
        // Throws when the session's row serves no more: next-auth then clears the cookie.
        await runtime.getAccount(signedIn ? { kind: 'sign-in', ...signedIn } : null);
        // Nothing else: rights and names in a token would outlive their change.
        return { ...(signedIn ? { sub: signedIn.userId } : {}), signInSessionId: signedIn?.signInSessionId ?? null };
      },
      async session({ session, token }) {
        const signedIn = toSignedIn(token);
        const { email, name } = await runtime.getAccount(signedIn ? { kind: 'sign-in', ...signedIn } : null);
        return { expires: session.expires, user: { email, name } };
      },
      redirect: ({ url }) => toOwnAddress(url, config.publicUrl),
    },
    events: {
      async signOut({ token }) {
        const signedIn = toSignedIn(token);
        if (signedIn) await runtime.endSignIn(signedIn);
      },
    },
    logger: {
      error(code, metadata) {
        log.debug({ code, metadata }, 'next-auth refused');
        const failure = 'error' in metadata ? metadata.error : metadata;
        if (oidc && /OAUTH/.test(code)) {
          const { message, code: reason } = failure as Error & { code?: string };
          log.warn({ code, reason: message }, 'the sign-in provider’s answer was refused');
          onProtocolFailure(classifyProtocolFailure({ message, code: reason }));
        }
      },
      warn: (code) => log.debug({ code }, 'next-auth warned'),
      debug: () => undefined,
    },
  };
}

export function senderOf(headers: Headers): Sender {
  return { ip: findPeer(headers)?.clientAddress ?? 'unknown', userAgent: headers.get('user-agent')?.slice(0, 300) ?? null };
}

/** Where a sign-in leads: a page of ours, whatever the link that led to it said. */
function toOwnAddress(url: string, publicUrl: URL): string {
  const target = URL.parse(url, publicUrl);
  return target?.origin === publicUrl.origin ? target.href : publicUrl.origin;
}

function internal(error: unknown): AppError {
  log.error({ err: error }, 'sign-in failed');
  return new AppError({ code: 'internal', message: 'Signing in failed on our side.', cause: error });
}
