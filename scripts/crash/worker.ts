// The product without Next, which saves a second a point: it starts as instrumentation.ts starts it and serves the product's
// own route handlers. What is left out is Next's router alone.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { startServer } from '#lib/composition/start-server.ts';
import * as healthz from '../../app/api/healthz/route.ts';
import * as approval from '../../app/api/t/[tenant]/approvals/[approval]/route.ts';
import * as exportFile from '../../app/api/t/[tenant]/exports/[export]/file/route.ts';
import * as oneExport from '../../app/api/t/[tenant]/exports/[export]/route.ts';
import * as exportsOf from '../../app/api/t/[tenant]/exports/route.ts';
import * as install from '../../app/api/t/[tenant]/marketplace/[plugin]/install/route.ts';
import * as plugin from '../../app/api/t/[tenant]/marketplace/[plugin]/route.ts';
import * as answer from '../../app/api/t/[tenant]/runs/[run]/answer/route.ts';
import * as cancel from '../../app/api/t/[tenant]/runs/[run]/cancel/route.ts';
import * as events from '../../app/api/t/[tenant]/runs/[run]/events/route.ts';
import * as run from '../../app/api/t/[tenant]/runs/[run]/route.ts';
import * as messages from '../../app/api/t/[tenant]/sessions/[session]/messages/route.ts';
import * as sessions from '../../app/api/t/[tenant]/sessions/route.ts';

type Params = Record<string, string | undefined>;
type Handler = (request: Request, context: { params: Promise<Params> }) => Promise<Response>;

const ROUTES: readonly { readonly path: RegExp; readonly methods: { readonly GET: Handler; readonly POST: Handler } }[] = [
  { path: /^\/api\/healthz$/, methods: healthz },
  { path: /^\/api\/t\/(?<tenant>[^/]+)\/sessions$/, methods: sessions },
  { path: /^\/api\/t\/(?<tenant>[^/]+)\/sessions\/(?<session>[^/]+)\/messages$/, methods: messages },
  { path: /^\/api\/t\/(?<tenant>[^/]+)\/runs\/(?<run>[^/]+)$/, methods: run },
  { path: /^\/api\/t\/(?<tenant>[^/]+)\/runs\/(?<run>[^/]+)\/answer$/, methods: answer },
  { path: /^\/api\/t\/(?<tenant>[^/]+)\/runs\/(?<run>[^/]+)\/cancel$/, methods: cancel },
  { path: /^\/api\/t\/(?<tenant>[^/]+)\/runs\/(?<run>[^/]+)\/events$/, methods: events },
  { path: /^\/api\/t\/(?<tenant>[^/]+)\/approvals\/(?<approval>[^/]+)$/, methods: approval },
  { path: /^\/api\/t\/(?<tenant>[^/]+)\/exports$/, methods: exportsOf },
  { path: /^\/api\/t\/(?<tenant>[^/]+)\/exports\/(?<export>[^/]+)$/, methods: oneExport },
  { path: /^\/api\/t\/(?<tenant>[^/]+)\/exports\/(?<export>[^/]+)\/file$/, methods: exportFile },
  { path: /^\/api\/t\/(?<tenant>[^/]+)\/marketplace\/(?<plugin>[^/]+)$/, methods: plugin },
  { path: /^\/api\/t\/(?<tenant>[^/]+)\/marketplace\/(?<plugin>[^/]+)\/install$/, methods: install },
];

await startServer();

createServer((incoming, outgoing) => {
  const closed = new AbortController();
  outgoing.on('close', () => closed.abort());
  serve(incoming, outgoing, closed.signal).catch((error: unknown) => {
    // The client went away, or is about to learn that this answer was cut short.
    if (!closed.signal.aborted) console.error(error);
    outgoing.destroy();
  });
}).listen(Number(process.env.PORT), process.env.HOST);

async function serve(incoming: IncomingMessage, outgoing: ServerResponse, signal: AbortSignal): Promise<void> {
  const response = await answerOf(incoming, signal);
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  if (response.body) await pipeline(response.body, outgoing);
  else outgoing.end();
}

async function answerOf(incoming: IncomingMessage, signal: AbortSignal): Promise<Response> {
  const url = new URL(incoming.url ?? '/', `http://${incoming.headers.host}`);
  const isGet = incoming.method === 'GET';
  for (const { path, methods } of ROUTES) {
    const match = path.exec(url.pathname);
    if (!match) continue;
    const request = new Request(url, {
      method: isGet ? 'GET' : 'POST',
      headers: new Headers(Object.entries(incoming.headers).map(([name, value]): [string, string] => [name, String(value)])),
      signal,
      ...(!isGet && { body: await readAll(incoming) }),
    });
    return (isGet ? methods.GET : methods.POST)(request, { params: Promise.resolve({ ...match.groups }) });
  }
  return new Response(null, { status: 404 });
}

async function readAll(incoming: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of incoming) text += String(chunk);
  return text;
}
