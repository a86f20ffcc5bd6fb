import { extractWWWAuthenticateParams } from '@modelcontextprotocol/client';
import type { GuardedFetch } from '#lib/outbound/index.ts';
import type { McpSignIn } from '../ports.ts';

/**
 * Sends a person's own token with each request, read each time, so that one who signs out is out at once. A 401 is answered by
 * renewing, once; a 403 that names a scope asks the person for it. Rejects with `AppError` `unauthenticated` for either.
 */
export function signFetch(guardedFetch: GuardedFetch, signIn: McpSignIn): GuardedFetch {
  return async (input, init) => {
    const send = (token: string) => {
      const headers = new Headers(init?.headers);
      headers.set('authorization', `Bearer ${token}`);
      return guardedFetch(input, { ...init, headers });
    };
    const token = await signIn.readToken();
    let response = await send(token);
    if (response.status === 401) {
      await response.body?.cancel();
      const renewed = await signIn.renew(token);
      response = await send(renewed);
      if (response.status === 401) {
        await response.body?.cancel();
        return signIn.giveUp(renewed);
      }
    }
    if (response.status === 403) {
      const { error, scope } = extractWWWAuthenticateParams(response);
      if (error === 'insufficient_scope') {
        await response.body?.cancel();
        return signIn.askForMore(scope ?? '');
      }
    }
    return response;
  };
}
