import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { verifies } from '#e2e/verifies.ts';
import { type Id, toUuid } from '#lib/kernel/index.ts';
import { createLanguageModel } from '#lib/models/adapters/create-language-model.ts';
import type { Actor } from '#lib/tenancy/index.ts';
import { startEverythingServer } from '#lib/testing/mcp-peers.ts';
import { aTool, type McpServerUnderTest, startMcpServer } from '#lib/testing/mcp-server.ts';
import { type ModelServer, startModelServer, streamed } from '#lib/testing/model-server.ts';
import { createRunLab, eventually, type RunLab } from '#lib/testing/run-lab.ts';
import { createMcpServerBody, type McpServerDetail } from './contract.ts';

let lab: RunLab;
let provider: ModelServer;
let peer: McpServerUnderTest;
const LOOK = aTool('look', { inputSchema: { type: 'object', properties: { label: { type: 'string' } }, required: ['label'] } });

beforeAll(async () => {
  lab = await createRunLab({ hasMcp: true, timeLimitMs: 20_000 });
});
afterAll(() => lab?.close());
beforeEach(async () => {
  provider = await startModelServer();
  peer = await startMcpServer({
    'tools/list': () => ({ tools: [LOOK] }),
    'tools/call': ({ arguments: args }) => ({ content: [{ type: 'text', text: `saw ${JSON.stringify(args)}` }] }),
  });
});
afterEach(async () => {
  lab.useModel({ status: 'unavailable', code: 'no-model' });
  await provider.close();
  await peer.close();
});

const useCases = () => {
  if (!lab.mcp) throw new Error('the lab has MCP servers');
  return lab.mcp;
};
async function aServer(actor: Actor, name = 'weather'): Promise<McpServerDetail> {
  return useCases().createMcpServer(actor, createMcpServerBody.parse({ name, reach: { transport: 'http', url: peer.url } }));
}
const markTool = (actor: Actor, server: McpServerDetail, body: Parameters<ReturnType<typeof useCases>['updateMcpTool']>[2]) =>
  useCases().updateMcpTool(actor, { server: server.id as Id<'mcpServer'>, tool: server.toolList[0]?.id as Id<'mcpTool'> }, body);

function useScriptedModel() {
  lab.useModel({
    status: 'available',
    model: createLanguageModel({
      spec: { provider: 'compatible', model: 'scripted' },
      baseUrl: provider.url,
      apiKey: 'sk-scripted-0123456789',
      fetch: globalThis.fetch,
    }),
    price: null,
    fallsBack: false,
  });
}

const ask = (id: string, name: string, args: object) => ({ id, name: `every_${name}`, arguments: JSON.stringify(args) });
const call = (id: string, args: object) => ({ id, name: 'weather_look', arguments: JSON.stringify(args) });

describe('a run', () => {
  verifies('H-20', 'calls a tool of a server like any capability: checked, on record, under a name that models take', async () => {
    const { actor, sessionId } = await lab.aSession();
    const server = await aServer(actor);
    await markTool(actor, server, { sideEffect: 'read' });
    useScriptedModel();
    provider.script(
      streamed({ calls: [call('c1', { label: 5 })] }),
      streamed({ calls: [call('c2', { label: 'x' })] }),
      streamed({ text: 'Done.' }),
    );
    const { runId } = await lab.runs.submitMessage(actor, { sessionId, text: 'look' });
    await lab.readAll(actor, runId);
    const run = await lab.runs.getRun(actor, runId);
    expect(run).toMatchObject({ state: 'FINISH_OK', answer: 'Done.' });
    expect(run.invocations.map(({ capabilityId, state, error }) => [capabilityId, state, error?.code ?? null])).toEqual([
      ['weather.look', 'FAILED', 'invalid_arguments'],
      ['weather.look', 'SUCCEEDED', null],
    ]);
    // What does not fit never leaves.
    expect(peer.calls('tools/call')).toBe(1);
    expect(JSON.stringify(provider.requests[2]?.body)).toContain(String.raw`saw {\"label\":\"x\"}`);
    provider.verify();
  });

  it('reads the resources of a server, and hears from it of one that it does not know', async () => {
    const everything = await startEverythingServer();
    try {
      const { actor, sessionId } = await lab.aSession();
      const body = createMcpServerBody.parse({ name: 'every', reach: { transport: 'http', url: everything.url } });
      await useCases().createMcpServer(actor, body);
      useScriptedModel();
      provider.script(
        streamed({ calls: [ask('c1', 'list_resources', {})] }),
        streamed({ calls: [ask('c2', 'read_resource', { uri: 'demo://resource/dynamic/text/1' })] }),
        streamed({ calls: [ask('c3', 'read_resource', { uri: 'demo://resource/dynamic/blob/1' })] }),
        streamed({ calls: [ask('c4', 'read_resource', { uri: 'demo://nowhere' })] }),
        streamed({ text: 'Done.' }),
      );
      const { runId } = await lab.runs.submitMessage(actor, { sessionId, text: 'read' });
      await lab.readAll(actor, runId);
      const run = await lab.runs.getRun(actor, runId);
      expect(run).toMatchObject({ state: 'FINISH_OK', answer: 'Done.' });
      expect(run.invocations).toMatchObject([
        { capabilityId: 'every.list_resources', state: 'SUCCEEDED' },
        { capabilityId: 'every.read_resource', state: 'SUCCEEDED' },
        { capabilityId: 'every.read_resource', state: 'SUCCEEDED' },
        {
          capabilityId: 'every.read_resource',
          state: 'FAILED',
          error: { code: 'capability_failed', message: expect.stringContaining('demo://nowhere') },
        },
      ]);
      const said = (index: number) => JSON.stringify(provider.requests[index]?.body);
      expect(said(1)).toContain('demo://resource/dynamic/text/{resourceId}');
      expect(said(2)).toContain('Resource 1: This is a plaintext resource');
      expect(said(3)).toContain('[demo://resource/dynamic/blob/1, text/plain, 1 KiB]');
      expect(said(4)).toContain('demo://nowhere');
      provider.verify();
    } finally {
      await everything.close();
    }
  }, 60_000);

  verifies('K11', 'shows how far a call says that it has come, without what we sent the server', async () => {
    const { actor, sessionId } = await lab.aSession();
    const body = { name: 'weather', reach: { transport: 'http', url: peer.url }, headers: { authorization: 'Bearer tops3cret' } };
    await useCases().createMcpServer(actor, createMcpServerBody.parse(body));
    peer.handlers['tools/call'] = (_params, report) => {
      report(3, { total: 7, message: 'asked with tops3cret' });
      return { content: [{ type: 'text', text: 'done' }] };
    };
    const { runId } = await lab.runs.submitMessage(actor, { sessionId, text: 'weather.look x' });
    const events = await lab.readAll(actor, runId);
    const types = events.map(({ type }) => type);
    expect(events.filter(({ type }) => type === 'tool-progress').map(({ payload }) => payload)).toEqual([
      { invocationId: expect.any(String), progress: 3, total: 7, message: 'asked with ••••' },
    ]);
    expect(types.indexOf('tool-progress')).toBeGreaterThan(types.indexOf('ToolInvocationRequested'));
    expect(types.indexOf('tool-progress')).toBeLessThan(types.indexOf('ToolExecuted'));
  });

  it('that loses its process during such a call asks, unless an administrator has said that it may be repeated', async () => {
    const { actor, sessionId } = await lab.aSession();
    const server = await aServer(actor);
    const release = Promise.withResolvers<void>();
    peer.handlers['tools/call'] = async () => {
      await release.promise;
      return { content: [{ type: 'text', text: 'late' }] };
    };
    const { runId } = await lab.runs.submitMessage(actor, { sessionId, text: 'weather.look once' });
    await eventually(() => peer.calls('tools/call') === 1);
    await lab.cutOff(runId);
    // What the old process still learns is refused; the next one finds a call that may have been made.
    release.resolve();
    await eventually(async () => (await lab.runs.getRun(actor, runId)).state === 'WAITING');
    expect(peer.calls('tools/call')).toBe(1);
    const waiting = await lab.runs.getRun(actor, runId);
    expect(waiting.invocations).toMatchObject([{ capabilityId: 'weather.look', state: 'EXECUTING' }]);

    await markTool(actor, server, { idempotency: 'idempotent' });
    const held = Promise.withResolvers<void>();
    peer.handlers['tools/call'] = async () => {
      await held.promise;
      return { content: [{ type: 'text', text: 'again' }] };
    };
    const other = await lab.aSession('default', actor);
    const second = await lab.runs.submitMessage(actor, { sessionId: other.sessionId, text: 'weather.look twice' });
    await eventually(() => peer.calls('tools/call') === 2);
    await lab.cutOff(second.runId);
    held.resolve();
    await lab.readAll(actor, second.runId);
    expect(await lab.runs.getRun(actor, second.runId)).toMatchObject({ state: 'FINISH_OK', answer: 'again' });
    expect(peer.calls('tools/call')).toBe(3);
  });

  it('whose tool was put aside meanwhile does not call it', async () => {
    const { actor, sessionId } = await lab.aSession();
    const server = await aServer(actor);
    await markTool(actor, server, { isEnabled: false });
    const { runId } = await lab.runs.submitMessage(actor, { sessionId, text: 'weather.look x' });
    await lab.readAll(actor, runId);
    expect((await lab.runs.getRun(actor, runId)).invocations).toMatchObject([{ state: 'FAILED', error: { code: 'unknown_capability' } }]);
    expect(peer.calls('tools/call')).toBe(0);
  });
});

describe('our own capabilities as an MCP server', () => {
  verifies('K16', 'are called through the invoker for whoever asks, and clients that ask at once are never mixed up', async () => {
    const actors = [(await lab.aSession()).actor, (await lab.aSession()).actor];
    const clients = await Promise.all(
      actors.map(async (actor) => {
        await aServer(actor);
        const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
        const fetchHere = (url: URL | string, init?: RequestInit) => useCases().serveMcp(actor, new Request(url, init));
        await client.connect(new StreamableHTTPClientTransport(new URL('http://here/api/mcp'), { fetch: fetchHere }));
        return client;
      }),
    );
    const names = (await clients[0]?.listTools())?.tools.map(({ name }) => name) ?? [];
    expect(names).toContain('test.effect-keyed');
    // Another server's tools are not handed on.
    expect(names).not.toContain('weather.look');
    const answers = await Promise.all(
      Array.from({ length: 40 }, async (_, index) => {
        const label = `${index % 2}-${index}`;
        return [label, await clients[index % 2]?.callTool({ name: 'test.effect-keyed', arguments: { label } })] as const;
      }),
    );
    for (const [label, answer] of answers) expect(answer?.content).toEqual([{ type: 'text', text: `done: ${label}` }]);
    for (const [index, actor] of actors.entries()) {
      const rows =
        await lab.owner`select payload from audit_event where tenant_id = ${toUuid(actor.scope.tenantId)} and type = 'capability.succeeded'`;
      expect(rows).toHaveLength(20);
      expect(rows.every((row) => JSON.stringify(row.payload).includes('mcp'))).toBe(true);
      expect(lab.effects.of(`${index}-${index}`)).toHaveLength(1);
    }
    const refused = await clients[0]?.callTool({ name: 'test.effect-destructive', arguments: { label: 'x' } });
    expect(refused).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('approval') }] });
    expect(await clients[0]?.callTool({ name: 'weather.look', arguments: { label: 'x' } })).toMatchObject({ isError: true });
    expect(peer.calls('tools/call')).toBe(0);
  });
});
