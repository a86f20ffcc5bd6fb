import { z } from 'zod';
import type { SignInAnswer } from './sign-in-problem.ts';

/** What next-auth's own client does, as far as we need it: that one brings 9 KiB to every page. */
const csrf = z.object({ csrfToken: z.string() });
const destination = z.object({ url: z.string().nullish() });

/** Signs in with what a provider asks for. Throws when the server was not reached. */
export async function signIn(provider: string, fields: Readonly<Record<string, string>> = {}): Promise<SignInAnswer> {
  const response = await post(`/api/auth/callback/${provider}`, fields);
  const url = destination.safeParse(await response.json().catch(() => null)).data?.url;
  return { ok: response.ok, status: response.status, error: url ? new URL(url, window.location.origin).searchParams.get('error') : null };
}

/** Ends this browser's sign-in. Throws when the server was not reached. */
export async function signOut(): Promise<void> {
  await post('/api/auth/signout', {});
}

async function post(path: string, fields: Readonly<Record<string, string>>): Promise<Response> {
  const { csrfToken } = csrf.parse(await (await fetch('/api/auth/csrf', { cache: 'no-store' })).json());
  return fetch(path, {
    method: 'POST',
    cache: 'no-store',
    body: new URLSearchParams({ ...fields, csrfToken, callbackUrl: window.location.href, json: 'true' }),
  });
}
