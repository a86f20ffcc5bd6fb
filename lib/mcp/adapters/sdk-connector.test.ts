import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { verifies } from '#e2e/verifies.ts';
import { createAjvArgumentValidator } from '#lib/capabilities/adapters/ajv-argument-validator.ts';
import { newId } from '#lib/kernel/index.ts';
import { startEverythingServer } from '#lib/testing/mcp-peers.ts';
import { aTool, type McpMethod, startMcpServer } from '#lib/testing/mcp-server.ts';
import { McpSessionLost } from '../domain/connect-failure.ts';
import type { McpConnection, McpTarget, ToolProgress } from '../ports.ts';
import { createSdkConnector } from './sdk-connector.ts';

const validator = createAjvArgumentValidator();
const open: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
});

async function connect(
  url: string,
  options: { idleTimeoutMs?: number; onToolsChanged?: () => void; headers?: Record<string, string> } = {},
) {
  const connector = createSdkConnector({
    fetch: globalThis.fetch,
    version: '0',
    findSchemaFault: (schema) => validator.findSchemaFault(schema),
    idleTimeoutMs: options.idleTimeoutMs ?? 20_000,
  });
  const target: McpTarget = {
    tenantId: newId('tenant'),
    serverId: newId('mcpServer'),
    name: 'peer',
    userId: null,
    revision: 1,
    signIn: null,
    reach: { transport: 'http', url: new URL(url), headers: options.headers ?? {} },
  };
  const listener = { onToolsChanged: options.onToolsChanged ?? (() => undefined), onClosed: () => undefined };
  const connection = await connector.connect(target, listener, AbortSignal.timeout(20_000));
  open.push(connection);
  return connection;
}

async function scripted(methods: Record<string, McpMethod> = {}) {
  const server = await startMcpServer(methods);
  open.push(server);
  return server;
}

const call = (connection: McpConnection, name: string, more: Partial<Parameters<McpConnection['callTool']>[0]> = {}) =>
  connection.callTool({
    name,
    definition: { title: null, description: '', inputSchema: { type: 'object' }, annotations: null },
    arguments: {},
    idempotencyKey: 'key-1',
    timeoutMs: 20_000,
    signal: AbortSignal.timeout(20_000),
    onProgress: () => undefined,
    ...more,
  });
const text = (value: string) => ({ content: [{ type: 'text', text: value }] });

describe('with the protocol’s example server', () => {
  it('initialises, lists tools, calls one and hears of its progress', async () => {
    const peer = await startEverythingServer();
    open.push(peer);
    const connection = await connect(peer.url);
    expect(connection.about).toMatchObject({ serverName: expect.stringContaining('Everything'), protocolVersion: '2025-11-25' });
    const { tools, warnings } = await connection.listTools(AbortSignal.timeout(20_000));
    expect(warnings).toEqual([]);
    expect(tools.find(({ name }) => name === 'echo')).toMatchObject({ problem: null, definition: { inputSchema: { type: 'object' } } });
    expect(await call(connection, 'echo', { arguments: { message: '你好' } })).toMatchObject({
      content: [{ type: 'text', text: 'Echo: 你好' }],
      isError: false,
    });
    const heard: ToolProgress[] = [];
    await call(connection, 'trigger-long-running-operation', {
      arguments: { duration: 1, steps: 3 },
      onProgress: (progress) => heard.push(progress),
    });
    expect(heard.map(({ progress }) => progress)).toEqual([1, 2, 3]);
    expect((await call(connection, 'get-tiny-image')).content.find(({ type }) => type === 'image')).toEqual({
      type: 'image',
      mimeType: 'image/png',
      sizeBytes: expect.any(Number),
      name: null,
    });
  }, 60_000);
});

describe('lists', () => {
  verifies('K10', 'are read to their last page, and one that never ends is left with a warning', async () => {
    const all = Array.from({ length: 101 }, (_, index) => aTool(`tool_${index}`));
    const server = await scripted({
      'tools/list': ({ cursor }) => {
        const from = Number(cursor ?? 0);
        return { tools: all.slice(from, from + 50), ...(from + 50 < all.length && { nextCursor: String(from + 50) }) };
      },
    });
    const connection = await connect(server.url);
    const whole = await connection.listTools(AbortSignal.timeout(20_000));
    expect([whole.tools.length, whole.pages, whole.warnings]).toEqual([101, 3, []]);
    server.handlers['tools/list'] = () => ({ tools: [aTool('same')], nextCursor: 'stuck' });
    const stuck = await connection.listTools(AbortSignal.timeout(20_000));
    expect([stuck.tools.length, stuck.warnings]).toEqual([1, ['repeated-cursor', 'duplicate-names']]);
  });

  verifies('K7', 'lose one bad tool, and no other', async () => {
    const server = await scripted({
      'tools/list': () => ({
        tools: [
          aTool('good'),
          { name: 'bare' },
          { description: 'nameless' },
          aTool('remote', { inputSchema: { type: 'object', properties: { a: { $ref: 'https://example.com/x' } } } }),
          aTool('odd', { inputSchema: { type: 'object', properties: { a: { type: 'strin' } } } }),
          aTool('loop', {
            inputSchema: {
              type: 'object',
              properties: { a: { $ref: '#/$defs/a' } },
              $defs: { a: { properties: { a: { $ref: '#/$defs/a' } } } },
            },
          }),
        ],
      }),
    });
    const { tools, warnings } = await (await connect(server.url)).listTools(AbortSignal.timeout(20_000));
    expect(tools.map(({ name, problem }) => [name, problem])).toEqual([
      ['good', null],
      ['bare', null],
      ['remote', 'remote-ref'],
      ['odd', 'unreadable-schema'],
      ['loop', null],
    ]);
    expect(warnings).toEqual(['malformed-tools']);
  });

  verifies('H-19', 'that the server calls changed are told of', async () => {
    const server = await scripted();
    const changed = Promise.withResolvers<void>();
    await connect(server.url, { onToolsChanged: changed.resolve });
    while (server.listenerCount === 0) await sleep(10);
    server.notify('notifications/tools/list_changed');
    await changed.promise;
  });
});

describe('calls', () => {
  verifies('K11', 'live as long as they report progress', async () => {
    const server = await scripted({
      'tools/call': async (_params, report) => {
        for (let step = 1; step <= 6; step += 1) {
          await sleep(200);
          report(step);
        }
        return text('done');
      },
    });
    const connection = await connect(server.url, { idleTimeoutMs: 700 });
    const heard: number[] = [];
    const result = await call(connection, 'slow', { onProgress: ({ progress }) => heard.push(progress) });
    expect(result.content).toEqual([{ type: 'text', text: 'done' }]);
    expect(heard).toEqual([1, 2, 3, 4, 5, 6]);
  });

  verifies('K11', 'end at their total limit whatever they report; the server is told, and a late answer is nobody’s', async () => {
    const release = Promise.withResolvers<void>();
    const server = await scripted({
      'tools/call': async ({ name }, report) => {
        if (name === 'quick') return text('quick');
        for (let step = 1; step < 8; step += 1) {
          report(step);
          await sleep(100);
        }
        await release.promise;
        return text('late');
      },
    });
    const connection = await connect(server.url, { idleTimeoutMs: 5_000 });
    await expect(call(connection, 'endless', { timeoutMs: 500 })).rejects.toMatchObject({ code: 'timeout' });
    while (server.calls('notifications/cancelled') === 0) await sleep(10);
    const next = call(connection, 'quick');
    release.resolve();
    expect((await next).content).toEqual([{ type: 'text', text: 'quick' }]);
  });

  it('that say nothing end when the server has been silent for too long', async () => {
    const server = await scripted({ 'tools/call': () => new Promise(() => undefined) });
    const connection = await connect(server.url, { idleTimeoutMs: 300 });
    await expect(call(connection, 'hangs')).rejects.toMatchObject({ code: 'timeout', message: expect.stringContaining('300 ms') });
  });

  verifies('K9', 'in a session that the server has forgotten say so, however it says it, and ask once', async () => {
    for (const answered of [
      { status: 404, body: '' },
      { status: 404, body: 'Session not found' },
      { status: 404, body: '<html>gone</html>' },
      { status: 400, body: 'Bad Request: No valid session ID provided' },
    ]) {
      const server = await scripted({ 'tools/call': () => text('x') });
      const connection = await connect(server.url);
      await call(connection, 'look');
      server.forgetSessions(answered);
      await expect(call(connection, 'look')).rejects.toBeInstanceOf(McpSessionLost);
      expect([server.calls('initialize'), server.calls('tools/call'), connection.isOpen]).toEqual([1, 2, false]);
    }
  });

  it('that break off in the middle fail at once', async () => {
    const server = await scripted({
      'tools/call': (_params, report, response) => {
        report(1);
        setTimeout(() => response.destroy(), 50);
        return new Promise(() => undefined);
      },
    });
    const started = performance.now();
    await expect(call(await connect(server.url), 'look')).rejects.toBeInstanceOf(McpSessionLost);
    expect(performance.now() - started).toBeLessThan(5_000);
  });

  it('answered with a flood cost themselves alone', async () => {
    const server = await scripted({
      'tools/call': ({ name }) => (name === 'flood' ? text('x'.repeat(20 * 1024 * 1024)) : text('fine')),
    });
    await expect(call(await connect(server.url), 'flood')).rejects.toThrow('more than 16777216 bytes');
    expect((await call(await connect(server.url), 'look')).content).toEqual([{ type: 'text', text: 'fine' }]);
  });

  it('do not bring a header’s value back that the server repeats', async () => {
    const server = await scripted({
      'tools/call': (_params, _report, response) => text(`you sent ${String(response.req.headers.authorization)}`),
    });
    const connection = await connect(server.url, { headers: { authorization: 'Bearer secret-5f2c81' } });
    expect((await call(connection, 'look')).content).toEqual([{ type: 'text', text: 'you sent ••••' }]);
  });

  it('carry the workspace’s headers and the key that makes a repeat harmless', async () => {
    const server = await scripted({ 'tools/call': () => text('x') });
    await call(await connect(server.url, { headers: { 'x-api-key': 'k-1' } }), 'look');
    const [seen] = server.requests.filter(({ method }) => method === 'tools/call');
    expect(seen?.headers['x-api-key']).toBe('k-1');
    expect(seen?.params['_meta']).toMatchObject({ 'bailiwick/idempotencyKey': 'key-1' });
  });
});

describe('a server that cannot be connected to', () => {
  it('is told with what went wrong, and whether a sign-in would help', async () => {
    const server = await scripted();
    await server.close();
    await expect(connect(server.url)).rejects.toMatchObject({ message: expect.stringMatching(/ECONNREFUSED/), isUnauthorized: false });
    const guarded = await scripted({
      initialize: (_params, _report, response) => void response.writeHead(401, { 'www-authenticate': 'Bearer' }).end(),
      'server/discover': (_params, _report, response) => void response.writeHead(401, { 'www-authenticate': 'Bearer' }).end(),
    });
    await expect(connect(guarded.url)).rejects.toMatchObject({ isUnauthorized: true, steps: [{ step: 'initialize', ok: false }] });
  });
});
