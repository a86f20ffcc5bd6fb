import { setTimeout as sleep } from 'node:timers/promises';
import type { Method } from './route-list.ts';
import { signIn } from './sign-in.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed JSON, else the text. */
  readonly body: unknown;
}

/** Someone who speaks to the API: with a cookie, with an API key, or as nobody. */
export interface ApiClient {
  send(method: Method, path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  /** Reads an event stream until it ends or `forMs` have passed. */
  follow(path: string, forMs: number): Promise<{ readonly status: number; readonly text: string; readonly endedAfterMs: number | null }>;
}

export function anonymous(origin: string): ApiClient {
  return client(origin, {});
}

export function withApiKey(origin: string, key: string): ApiClient {
  return client(origin, { authorization: `Bearer ${key}` });
}

/** Someone who has signed in as the sign-in page does. */
export async function signedIn(origin: string, account: { email: string; password: string }): Promise<ApiClient> {
  return client(origin, await signIn(origin, account));
}

function client(origin: string, identity: Readonly<Record<string, string>>): ApiClient {
  return {
    async send(method, path, body, headers) {
      const response = await fetch(`${origin}${path}`, {
        method,
        redirect: 'manual',
        headers: { ...identity, ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      const isJson = (response.headers.get('content-type') ?? '').includes('json');
      return { status: response.status, headers: response.headers, body: isJson && text !== '' ? JSON.parse(text) : text };
    },

    async follow(path, forMs) {
      const startedAt = performance.now();
      const stop = new AbortController();
      const response = await fetch(`${origin}${path}`, { headers: { ...identity, accept: 'text/event-stream' }, signal: stop.signal });
      const reader = (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream()).getReader();
      let text = '';
      const read = async (): Promise<number | null> => {
        for (;;) {
          const { done, value } = await reader.read();
          if (done) return performance.now() - startedAt;
          text += value;
        }
      };
      const endedAfterMs = await Promise.race([read().catch(() => null), sleep(forMs, null)]);
      stop.abort();
      return { status: response.status, text, endedAfterMs };
    },
  };
}
