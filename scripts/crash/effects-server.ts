// Counts side effects in a process of its own, which outlives those that are killed. An effect is on record (in memory and
// in the file named by the first argument) before its caller is answered. `POST /{point}?before=MS&after=MS` waits up to so
// long before and after it records; `GET /{point}` lists what was recorded.
import { appendFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { type RecordedEffect, recordedEffect } from './recorded-effect.ts';

const [file = ''] = process.argv.slice(2);
const effects = new Map<string, RecordedEffect[]>();

const server = createServer((request, response) => {
  answer(request)
    .then((body) => response.end(body))
    .catch((error: unknown) => response.writeHead(400).end(String(error)));
});

server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address !== null && typeof address === 'object') console.log(JSON.stringify({ port: address.port }));
});

async function answer(request: IncomingMessage): Promise<string> {
  const url = new URL(request.url ?? '/', 'http://effects');
  const point = url.pathname.slice(1);
  if (request.method === 'GET') return JSON.stringify(effects.get(point) ?? []);
  const effect = recordedEffect.parse({ ...(await readJson(request)), atMs: 0 });
  await sleep(Math.random() * Number(url.searchParams.get('before') ?? 0));
  const recorded = { ...effect, atMs: Date.now() };
  appendFileSync(file, `${JSON.stringify({ point, ...recorded })}\n`);
  effects.set(point, [...(effects.get(point) ?? []), recorded]);
  await sleep(Math.random() * Number(url.searchParams.get('after') ?? 0));
  return '{}';
}

async function readJson(request: IncomingMessage): Promise<object> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  const body: unknown = JSON.parse(text);
  return typeof body === 'object' && body !== null ? body : {};
}
