import type { AuthOptions } from 'next-auth';
import { AppError, isAppError } from '#lib/kernel/index.ts';
import { log } from '#lib/telemetry/index.ts';
import { findPeer } from './peer.ts';
import type { Sender } from './ports.ts';
import type { AuthRuntime } from './runtime.ts';
import { cookieSecret, SESSION_COOKIE_MAX_AGE_SECONDS, sessionCookies, toSignedIn } from './session-cookie.ts';
import type { SignedIn } from './sign-in.ts';
import { isTrustedByAddress } from './trust-rule.ts';

/**
 * next-auth's settings for one request. It keeps the protocol (providers, CSRF token, encrypted cookie); who may sign in and
 * whether a session still serves is ours. `onRefused` hears the true reason, since next-auth passes on its words alone.
 */
export function nextAuthOptions(runtime: AuthRuntime, headers: Headers, onRefused: (error: AppError) => void): AuthOptions {
  const { config } = runtime;
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
    ],
    callbacks: {
      async jwt({ token, user }) {
        const ids = user ? { sub: user.id, signInSessionId: 'signInSessionId' in user ? user.signInSessionId : null } : token;
        const signedIn = toSignedIn(ids);
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
      error: (code, metadata) => log.debug({ code, metadata }, 'next-auth refused'),
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
