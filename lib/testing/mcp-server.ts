import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';

const message = z.object({
  id: z.union([z.string(), z.number()]).optional(),
  method: z.string().optional(),
  params: z.looseObject({}).optional(),
});

export interface McpRequestSeen {
  readonly method: string;
  readonly params: Record<string, unknown>;
  readonly headers: IncomingMessage['headers'];
}

/** Tells how far a call has come, where the client asked for that. */
export type ReportProgress = (progress: number, more?: { total?: number; message?: string }) => void;

export type McpMethod = (params: Record<string, unknown>, report: ReportProgress, response: ServerResponse) => unknown;

/** A tool as a list has it. */
export function aTool(name: string, more: object = {}): object {
  return { name, description: `Does ${name}.`, inputSchema: { type: 'object', properties: {} }, ...more };
}

/**
 * An MCP server over streamable HTTP (2025-11-25) that does what a test says, and nothing by itself: methods are replaced at
 * will, and its sessions can be forgotten.
 */
export async function startMcpServer(methods: Record<string, McpMethod> = {}) {
  const requests: McpRequestSeen[] = [];
  const sessions = new Set<string>();
  const listeners = new Set<ServerResponse>();
  const handlers: Record<string, McpMethod> = {
    initialize: () => ({
      protocolVersion: '2025-11-25',
      capabilities: { tools: { listChanged: true } },
      serverInfo: { name: 'scripted', version: '1.2.3' },
    }),
    'tools/list': () => ({ tools: [aTool('look')] }),
    ping: () => ({}),
    ...methods,
  };
  let forgotten: { status: number; body: string } = { status: 404, body: '' };

  /** What stands before every request; null: it is let in. */
  const gate: { refuse: ((headers: IncomingMessage['headers']) => { status: number; challenge: string } | null) | null } = { refuse: null };

  const server = createServer((request, response) => {
    void answer(request, response).catch(() => response.destroy());
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const refusal = gate.refuse?.(request.headers);
    if (refusal) return void response.writeHead(refusal.status, { 'www-authenticate': refusal.challenge }).end();
    const session = request.headers['mcp-session-id'];
    const isKnown = typeof session === 'string' && sessions.has(session);
    if (request.method === 'GET') {
      if (!isKnown) return void response.writeHead(404).end();
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.flushHeaders();
      listeners.add(response);
      response.once('close', () => listeners.delete(response));
      return;
    }
    if (request.method === 'DELETE') return void response.writeHead(200).end();
    const { id, method = '', params = {} } = message.parse(JSON.parse(await read(request)));
    requests.push({ method, params, headers: request.headers });
    const handler = Object.hasOwn(handlers, method) ? handlers[method] : undefined;
    if (method !== 'initialize' && method !== 'server/discover' && !isKnown)
      return void response.writeHead(forgotten.status, { 'content-type': 'text/plain' }).end(forgotten.body);
    if (id === undefined) return void response.writeHead(202).end();
    if (!handler) return json(response, { jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } });
    if (method === 'initialize') {
      const opened = randomUUID();
      sessions.add(opened);
      response.setHeader('mcp-session-id', opened);
    }
    const token = (params['_meta'] as { progressToken?: unknown } | undefined)?.progressToken;
    const report: ReportProgress = (progress, more) => {
      if (token === undefined || response.writableEnded) return;
      if (!response.headersSent) response.writeHead(200, { 'content-type': 'text/event-stream' });
      event(response, { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: token, progress, ...more } });
    };
    const result = await handler(params, report, response);
    if (response.destroyed || response.writableEnded) return;
    if (!response.headersSent) return json(response, { jsonrpc: '2.0', id, result });
    event(response, { jsonrpc: '2.0', id, result });
    response.end();
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    requests,
    handlers,
    gate,
    calls: (method: string) => requests.filter((request) => request.method === method).length,
    /** As a restart does: what comes with an old session is answered so. */
    forgetSessions(answered = { status: 404, body: '' }) {
      forgotten = answered;
      sessions.clear();
      for (const listener of listeners) listener.end();
    },
    /** To whoever listens. */
    notify(method: string) {
      for (const listener of listeners) event(listener, { jsonrpc: '2.0', method });
    },
    get listenerCount() {
      return listeners.size;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export type McpServerUnderTest = Awaited<ReturnType<typeof startMcpServer>>;

async function read(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += chunk;
  return text;
}

function json(response: ServerResponse, body: object): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function event(response: ServerResponse, body: object): void {
  response.write(`event: message\ndata: ${JSON.stringify(body)}\n\n`);
}
