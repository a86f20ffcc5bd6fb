// Puts one loop behind the least HTTP server that streams its answer: POST /turn {sessionId, text} answers `data: {"d":
// "text"}` events and `data: {"done":true}`. The arguments name the loop and say where the model and the database are.
import { createServer } from 'node:http';
import { z } from 'zod';
import { createAiSdkLoop } from './peers/ai-sdk-loop.ts';
import { createFetchLoop } from './peers/fetch-loop.ts';
import type { PeerLoop } from './peers/peer-loop.ts';
import { openTurnStore } from './peers/turn-store.ts';

const [name = '', modelUrl = '', port = '0', databaseUrl = ''] = process.argv.slice(2);
const loop = await createLoop();
const turnRequest = z.object({ sessionId: z.string(), text: z.string() });

async function createLoop(): Promise<PeerLoop> {
  if (name === 'fetch') return createFetchLoop({ modelUrl });
  if (name === 'ai-sdk') return createAiSdkLoop({ modelUrl, store: null });
  if (name === 'ai-sdk-inserts') return createAiSdkLoop({ modelUrl, store: await openTurnStore(databaseUrl) });
  throw new Error(`there is no loop ${name}`);
}

const server = createServer((request, response) => {
  if (request.method === 'GET') {
    response.end('ready');
    return;
  }
  let body = '';
  request.on('data', (part: Buffer) => {
    body += part.toString();
  });
  request.on('end', () => {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
    response.flushHeaders();
    const turn = turnRequest.parse(JSON.parse(body));
    loop({ ...turn, emit: (text) => response.write(`data: ${JSON.stringify({ d: text })}\n\n`) })
      .then(() => response.end('data: {"done":true}\n\n'))
      .catch((error: unknown) => {
        console.error(error);
        response.end(`data: ${JSON.stringify({ error: String(error) })}\n\n`);
      });
  });
});
server.keepAliveTimeout = 300_000;
server.listen(Number(port), '127.0.0.1');
