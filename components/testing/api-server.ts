import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { afterEach, vi } from 'vitest';

export interface AskedRequest {
  method: string;
  path: string;
  body: unknown;
  headers: IncomingMessage['headers'];
}

type Handler = (request: AskedRequest, response: ServerResponse) => void;

const closers: (() => void)[] = [];

afterEach(() => {
  for (const close of closers.splice(0)) close();
  vi.unstubAllGlobals();
});

/**
 * A real HTTP server that stands in for the API, and a `fetch` that takes the page's relative addresses to it. Everything
 * asked of it is kept in order. It ends with the test.
 */
export async function startApiServer(handle: Handler): Promise<{ asked: AskedRequest[]; cutAll: () => void }> {
  const asked: AskedRequest[] = [];
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    let text = '';
    for await (const chunk of request) text += String(chunk);
    const seen = {
      method: request.method ?? 'GET',
      path: request.url ?? '/',
      body: text === '' ? null : JSON.parse(text),
      headers: request.headers,
    };
    asked.push(seen);
    handle(seen, response);
  };
  const server = createServer((request, response) => void take(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  const origin = `http://127.0.0.1:${address.port}`;
  const realFetch = globalThis.fetch;
  vi.stubGlobal('fetch', (path: string, init?: RequestInit) => realFetch(new URL(path, origin), init));
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { asked, cutAll: () => server.closeAllConnections() };
}

export function answerJson(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
