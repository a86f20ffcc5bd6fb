// A process of its own that takes one flood, and says what it cost: `node memory-child.ts <what> <url or megabytes>`.
import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import { eventStream } from '#lib/http/event-stream.ts';
import { isAppError, messageOf } from '#lib/kernel/index.ts';
import { limitFetch } from '#lib/mcp/adapters/limited-fetch.ts';
import { createLanguageModel } from '#lib/models/adapters/create-language-model.ts';
import { readAddressPolicy } from '#lib/outbound/adapters/address-policy.ts';
import { createGuardedFetch } from '#lib/outbound/adapters/guarded-fetch.ts';

const [what = '', given = ''] = process.argv.slice(2);
const fetch = createGuardedFetch(readAddressPolicy('127.0.0.1'));
const rssMb = () => process.memoryUsage().rss / 1024 / 1024;

async function callModel(url: string): Promise<number> {
  const model = createLanguageModel({ spec: { provider: 'compatible', model: 'scripted' }, baseUrl: url, apiKey: null, fetch });
  let heard = 0;
  const request = { messages: [{ role: 'user', content: 'go on' }] as const, signal: AbortSignal.timeout(120_000) };
  for await (const part of model.call(request)) if (part.type === 'text-delta') heard += part.text.length;
  return heard;
}

/** What nobody reads: how many frames are asked for before the stream rests. */
async function serveSlowReader(megabytes: number): Promise<number> {
  let made = 0;
  const frame = `data: ${'x'.repeat(64 * 1024)}\n\n`;
  async function* frames() {
    while (made < megabytes * 16) {
      made += 1;
      yield frame;
    }
  }
  const server = createServer((_request, response) => {
    const { body } = eventStream({ frames: frames(), heartbeatMs: 15_000, onClose: new AbortController() });
    if (body) Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]).pipe(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const { connect } = await import('node:net');
  const reader = connect(port, '127.0.0.1', () => reader.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'));
  reader.pause();
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  reader.destroy();
  server.closeAllConnections();
  server.close();
  return made;
}

const work: Record<string, () => Promise<number>> = {
  model: () => callModel(given),
  fetch: async () => (await (await fetch(given)).text()).length,
  mcp: async () => (await (await limitFetch(fetch, () => undefined)(given, { method: 'POST', body: '{}' })).text()).length,
  'slow-reader': () => serveSlowReader(Number(given)),
};

const before = rssMb();
let peak = before;
const timer = setInterval(() => {
  peak = Math.max(peak, rssMb());
}, 5);
const outcome = await (work[what]?.() ?? Promise.reject(new Error(`nothing is known as ${what}`))).then(
  (size) => ({ size, error: null }),
  (error: unknown) => {
    const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : '';
    return { size: null, error: `${isAppError(error) ? error.code : ''}${messageOf(error)}${cause}` };
  },
);
clearInterval(timer);
process.stdout.write(`${JSON.stringify({ ...outcome, grownMb: Math.round(Math.max(peak, rssMb()) - before) })}\n`);
process.exit(0);
