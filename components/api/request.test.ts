import { createServer, type RequestListener, type Server } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { requestDone, requestJson } from './request.ts';

let server: Server | undefined;

async function serve(listener: RequestListener): Promise<string> {
  const started = createServer(listener);
  server = started;
  await new Promise<void>((resolve) => started.listen(0, '127.0.0.1', resolve));
  const address = started.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return `http://127.0.0.1:${address.port}`;
}

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
  server = undefined;
});

describe('requestJson', () => {
  it('returns what the schema makes of the answer', async () => {
    const url = await serve((_request, response) => response.end('{"count":3,"more":true}'));
    expect(await requestJson(url, z.object({ count: z.number() }))).toEqual({ count: 3 });
  });
  it('turns an error body into its code, sentence and trace id', async () => {
    const url = await serve((_request, response) => {
      response.writeHead(403);
      response.end(
        '{"code":"permission_denied","message":"This needs knowledge:write","details":{"permission":"knowledge:write"},"traceId":"t1"}',
      );
    });
    await expect(requestDone(url, { method: 'POST', body: {} })).rejects.toMatchObject({
      code: 'permission_denied',
      status: 403,
      traceId: 't1',
      details: { permission: 'knowledge:write' },
    });
  });
  it('calls a proxy page without our body unavailable', async () => {
    const url = await serve((_request, response) => {
      response.writeHead(502, { 'content-type': 'text/html' });
      response.end('<h1>Bad gateway</h1>');
    });
    await expect(requestDone(url)).rejects.toMatchObject({ code: 'unavailable', status: 502 });
  });
  it('says offline when nobody answers', async () => {
    await expect(requestDone('http://127.0.0.1:9')).rejects.toMatchObject({ code: 'offline' });
  });
  it('refuses an answer of another shape', async () => {
    const url = await serve((_request, response) => response.end('{"count":"three"}'));
    await expect(requestJson(url, z.object({ count: z.number() }))).rejects.toMatchObject({ code: 'internal' });
  });
  it('lets an abort through as an abort', async () => {
    const url = await serve(() => undefined);
    const stop = new AbortController();
    const pending = requestDone(url, { signal: stop.signal });
    stop.abort();
    await expect(pending).rejects.toMatchObject({ name: 'AbortError' });
  });
});
