import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { verifies } from '#e2e/verifies.ts';
import { newId } from '#lib/kernel/index.ts';
import { filesystemProgram, memoryProgram, scriptProgram } from '#lib/testing/mcp-peers.ts';
import { McpConnectFailure, McpSessionLost } from '../domain/connect-failure.ts';
import type { McpConnection, McpTarget, StdioProgram } from '../ports.ts';
import { createSdkConnector } from './sdk-connector.ts';

const open: McpConnection[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((connection) => connection.close()));
});

async function connect(program: StdioProgram, onClosed = () => undefined as void): Promise<McpConnection> {
  const target: McpTarget = {
    tenantId: newId('tenant'),
    serverId: newId('mcpServer'),
    name: 'local',
    userId: null,
    revision: 1,
    signIn: null,
    reach: { transport: 'stdio', program },
  };
  const connector = createSdkConnector({ fetch: globalThis.fetch, version: '0', findSchemaFault: () => null, idleTimeoutMs: 20_000 });
  const connection = await connector.connect(target, { onToolsChanged: () => undefined, onClosed }, AbortSignal.timeout(30_000));
  open.push(connection);
  return connection;
}

const call = (connection: McpConnection, name: string, args: Record<string, string | readonly object[]> = {}) =>
  connection.callTool({
    name,
    definition: { title: null, description: '', inputSchema: { type: 'object' }, annotations: null },
    arguments: args as never,
    idempotencyKey: 'k',
    timeoutMs: 20_000,
    signal: AbortSignal.timeout(20_000),
    onProgress: () => undefined,
  });

/** A program that speaks just enough of the protocol, and then does as `onCall` says. */
const program = (onCall: string, atStart = '') =>
  scriptProgram(`
    ${atStart}
    const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
    require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const { id, method } = JSON.parse(line);
      if (method === 'initialize') send({ id, result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'p', version: '1' } } });
      else if (method === 'tools/call') { ${onCall} }
      else if (id !== undefined) send({ id, error: { code: -32601, message: 'no' } });
    });`);

const isAlive = (processId: number) => {
  try {
    process.kill(processId, 0);
    // A dead child that nobody has waited for is dead.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${processId}/status`, 'utf8'));
  } catch {
    return false;
  }
};
async function untilDead(processId: number, withinMs: number): Promise<boolean> {
  for (const end = performance.now() + withinMs; performance.now() < end; ) {
    if (!isAlive(processId)) return true;
    await sleep(50);
  }
  return false;
}
const folder = () => mkdtempSync(path.join(tmpdir(), 'mcp-'));
async function numberIn(file: string): Promise<number> {
  for (;;) {
    const found = Number(
      await Promise.resolve()
        .then(() => readFileSync(file, 'utf8'))
        .catch(() => ''),
    );
    if (found > 0) return found;
    await sleep(50);
  }
}

describe('with the official servers', () => {
  it('reads files with the one, and keeps a graph with the other', async () => {
    const place = folder();
    writeFileSync(path.join(place, 'a.txt'), 'hello');
    const files = await connect(filesystemProgram(place));
    expect((await files.listTools(AbortSignal.timeout(20_000))).tools.map(({ name }) => name)).toContain('read_text_file');
    expect((await call(files, 'read_text_file', { path: path.join(place, 'a.txt') })).content).toEqual([{ type: 'text', text: 'hello' }]);
    expect(await call(files, 'read_text_file', { path: '/etc/passwd' })).toMatchObject({ isError: true });
    const memory = await connect(memoryProgram(path.join(place, 'graph.json')));
    await call(memory, 'create_entities', { entities: [{ name: 'Ada', entityType: 'person', observations: ['writes'] }] });
    expect(JSON.stringify((await call(memory, 'read_graph')).content)).toContain('Ada');
  }, 60_000);
});

describe('a local program', () => {
  verifies('K12', 'that ends at once is told with its code and its last words', async () => {
    const failure = await connect(scriptProgram('console.error("no licence"); process.exit(3)')).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(McpConnectFailure);
    expect(failure).toMatchObject({ message: 'The program ended with code 3.', stderr: expect.stringContaining('no licence') });
    await expect(connect({ ...scriptProgram(''), command: ['/no/such/program'] })).rejects.toMatchObject({
      message: expect.stringContaining('127'),
    });
  });

  verifies('K12', 'that ends during a call fails the call within a second, and nothing else', async () => {
    const other = await connect(program("send({ id, result: { content: [{ type: 'text', text: 'fine' }] } })"));
    const dying = await connect(program('process.exit(1)'));
    const started = performance.now();
    await expect(call(dying, 'x')).rejects.toBeInstanceOf(McpSessionLost);
    expect(performance.now() - started).toBeLessThan(1_000);
    await expect(call(dying, 'x')).rejects.toBeInstanceOf(McpSessionLost);
    expect((await call(other, 'x')).content).toEqual([{ type: 'text', text: 'fine' }]);
  });

  verifies('K12', 'may chatter a little, and is ended when it writes garbage or floods', async () => {
    const chatty = await connect(program("console.log('working...'); send({ id, result: { content: [] } })", "console.log('ready');"));
    expect((await call(chatty, 'x')).content).toEqual([]);
    const garbage = await connect(program("for (let i = 0; i < 1000; i++) console.log('garbage')"));
    await expect(call(garbage, 'x')).rejects.toThrow('no MCP message');
    const before = process.memoryUsage().rss;
    const flood = await connect(program("const piece = 'x'.repeat(1 << 20); for (let i = 0; i < 100; i++) process.stdout.write(piece)"));
    await expect(call(flood, 'x')).rejects.toThrow('without a message');
    expect(process.memoryUsage().rss - before).toBeLessThan(80 * 1024 * 1024);
  });

  verifies('K12', 'that ignores a closed input and SIGTERM is ended by force, with what it has started', async () => {
    const file = path.join(folder(), 'child');
    const stubborn = await connect(
      program(
        '',
        `process.on('SIGTERM', () => {}); setInterval(() => {}, 1000);
         const child = require('node:child_process').spawn(process.execPath, ['-e', "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)"]);
         require('node:fs').writeFileSync(${JSON.stringify(file)}, String(child.pid));`,
      ),
    );
    const child = await numberIn(file);
    await stubborn.close();
    expect(await untilDead(child, 2_000)).toBe(true);
  });

  verifies(
    'K12',
    'does not outlive us, whatever ends us',
    async () => {
      const file = path.join(folder(), 'pid');
      const source = program(
        '',
        `process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); require('node:fs').writeFileSync(${JSON.stringify(file)}, String(process.pid));`,
      );
      const host = spawn(
        process.execPath,
        [
          '--input-type=module',
          '-e',
          `const { ProgramTransport } = await import(${JSON.stringify(path.resolve('lib/mcp/adapters/program-transport.ts'))});
         await new ProgramTransport(${JSON.stringify(source)}).start(); setInterval(() => {}, 1000);`,
        ],
        { stdio: 'ignore' },
      );
      const server = await numberIn(file);
      expect(isAlive(server)).toBe(true);
      host.kill('SIGKILL');
      expect(await untilDead(server, 5_000)).toBe(true);
    },
    60_000,
  );

  verifies('K18', 'is given nothing of our environment, and its words are no shell’s', async () => {
    process.env.SECRET_OF_OURS = 'do not pass on';
    const dump = "send({ id, result: { content: [{ type: 'text', text: JSON.stringify([process.env, process.argv.slice(1)]) }] } })";
    const odd = { ...program(dump), environment: { LANG: 'C' } };
    const { content } = await call(await connect({ ...odd, command: [...odd.command, '$(touch /tmp/x)', '; exit 1'] }), 'x');
    const [part] = content;
    const said = part?.type === 'text' ? part.text : '';
    expect(said).not.toContain('do not pass on');
    expect(said).toContain('$(touch /tmp/x)');
    expect(JSON.parse(said)[0]).toMatchObject({ LANG: 'C' });
    delete process.env.SECRET_OF_OURS;
  });
});
