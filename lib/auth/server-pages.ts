import { isAppError } from '#lib/kernel/index.ts';
import type { Account, Actor } from '#lib/tenancy/index.ts';
import { authRuntime } from './runtime.ts';
import { findSignedIn } from './session-cookie.ts';
import { isTrustedByAddress } from './trust-rule.ts';

/** For server pages: who the request's cookie says is signed in, if their session still serves. */
export async function currentAccount(): Promise<Account | null> {
  const runtime = authRuntime();
  const requestHeaders = await pageHeaders();
  try {
    return await runtime.getAccount(await signInOf(requestHeaders));
  } catch (error) {
    if (isAppError(error) && error.code === 'unauthenticated') return null;
    throw error;
  }
}

/** For server pages: the signed-in person in a tenant. Throws `unauthenticated` and `not_found`. */
export async function actorFromCookies(tenantSlug: string): Promise<Actor> {
  return authRuntime().resolveActor(tenantSlug, await signInOf(await pageHeaders()));
}

/** For server pages: the trust rule's word on whoever asks for the page. */
export async function isCurrentSenderTrusted(): Promise<boolean> {
  return isTrustedByAddress(authRuntime().config, await pageHeaders());
}

/** A page is for people: an API key opens none. */
async function signInOf(requestHeaders: Headers) {
  const signedIn = await findSignedIn(authRuntime().config, requestHeaders.get('cookie'));
  return signedIn ? ({ kind: 'sign-in', ...signedIn } as const) : null;
}

/** Loaded when a page asks: the rest of this module also runs where Next does not. */
async function pageHeaders(): Promise<Headers> {
  const { headers } = await import('next/headers.js');
  return new Headers(await headers());
}
