import type { SignInAnswer } from './sign-in-problem.ts';

// What next-auth's own client does, as far as we need it: that one brings 9 KiB to every page. The answers are read by hand,
// since the parser of the others is larger than all the rest of the sign-in page.

/** Signs in with what a provider asks for. Throws when the server was not reached. */
export async function signIn(provider: string, fields: Readonly<Record<string, string>> = {}): Promise<SignInAnswer> {
  const response = await post(`/api/auth/callback/${provider}`, fields);
  const url = textOf(await response.json().catch(() => null), 'url');
  return { ok: response.ok, status: response.status, error: url ? new URL(url, window.location.origin).searchParams.get('error') : null };
}

/** Ends this browser's sign-in. Throws when the server was not reached. */
export async function signOut(): Promise<void> {
  await post('/api/auth/signout', {});
}

async function post(path: string, fields: Readonly<Record<string, string>>): Promise<Response> {
  const csrfToken = await getCsrfToken();
  return fetch(path, {
    method: 'POST',
    cache: 'no-store',
    body: new URLSearchParams({ ...fields, csrfToken, callbackUrl: window.location.href, json: 'true' }),
  });
}

/** What every form sent to next-auth carries. Throws when the server was not reached. */
export async function getCsrfToken(): Promise<string> {
  const response = await fetch('/api/auth/csrf', { cache: 'no-store' });
  return textOf(await response.json(), 'csrfToken');
}

/** A part of an answer, whatever it is; undefined where there is none. */
export function partOf(answer: unknown, name: string): unknown {
  return typeof answer === 'object' && answer !== null ? Reflect.get(answer, name) : undefined;
}

/** A text of an answer; empty where there is none. */
export function textOf(answer: unknown, name: string): string {
  const found = partOf(answer, name);
  return typeof found === 'string' ? found : '';
}
