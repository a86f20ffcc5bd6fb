import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { verifies } from '#e2e/verifies.ts';
import { type CapabilityRegistry, createCapabilityRegistry } from '#lib/capabilities/index.ts';
import { composeMcp } from '#lib/composition/mcp.ts';
import { type Id, newId, systemClock } from '#lib/kernel/index.ts';
import { everythingProgram } from '#lib/testing/mcp-peers.ts';
import { aTool, type McpServerUnderTest, startMcpServer } from '#lib/testing/mcp-server.ts';
import { codeOf, createTenancyWorld, type TenancyWorld } from '#lib/testing/tenancy-world.ts';
import { createMcpServerBody, type McpServerDetail, updateMcpServerBody } from './contract.ts';

const SECRET = 'header-secret-5f2c81';

/** What is tried and served is looked at where there are runs. */
const NO_CALLS = { listCapabilities: async () => [], call: () => Promise.reject(new Error('nothing is called here')) };

let world: TenancyWorld;
let acme: Awaited<ReturnType<TenancyWorld['addTenant']>>;
let other: Awaited<ReturnType<TenancyWorld['addTenant']>>;
let mcp: ReturnType<typeof composeMcp>;
let registry: CapabilityRegistry;
let useCases: ReturnType<ReturnType<typeof composeMcp>['useCases']>;
let peer: McpServerUnderTest;

beforeAll(async () => {
  world = await createTenancyWorld({ MCP_CHECK_MS: '1000' });
});
afterAll(() => world.close());
beforeEach(async () => {
  const stamp = newId('tenant').slice(-8);
  acme = await world.addTenant(`acme-${stamp}`);
  other = await world.addTenant(`other-${stamp}`);
  peer = await startMcpServer({ 'tools/call': ({ name }) => ({ content: [{ type: 'text', text: `called ${String(name)}` }] }) });
  const config = { ...world.config, mcpPrograms: [everythingProgram()] };
  mcp = composeMcp({ config, clock: systemClock, database: world.database, unitOfWork: world.unitOfWork, fetch: globalThis.fetch });
  registry = createCapabilityRegistry(undefined, [mcp.source]);
  registry.register({ metadata: { ...(await anyMetadata()), id: 'time.now' } });
  useCases = mcp.useCases(registry, NO_CALLS);
  await mcp.start();
});
afterEach(async () => {
  await mcp.stop();
  await peer.close();
});

async function anyMetadata() {
  const { BUILT_IN_METADATA } = await import('#lib/capabilities/index.ts');
  const [first] = BUILT_IN_METADATA;
  if (!first) throw new Error('there are built-in capabilities');
  return first;
}

const add = (name = 'weather', more: object = {}, by = acme.actor) =>
  useCases.createMcpServer(by, createMcpServerBody.parse({ name, reach: { transport: 'http', url: peer.url }, ...more }));
const idOf = (view: { id: string }) => view.id as Id<'mcpServer'>;
const toolOf = (view: McpServerDetail, name: string) => {
  const found = view.toolList.find((tool) => tool.name === name);
  if (!found) throw new Error(`no tool ${name}`);
  return { server: idOf(view), tool: found.id as Id<'mcpTool'>, view: found };
};
const idsOf = async (tenantId: Id<'tenant'>) => (await registry.list(tenantId)).map(({ id }) => id).filter((id) => id !== 'time.now');
/** What is announced arrives in a moment. */
async function eventually<Value>(read: () => Promise<Value>, holds: (value: Value) => boolean): Promise<Value> {
  for (const end = performance.now() + 15_000; ; await sleep(30)) {
    const value = await read();
    if (holds(value)) return value;
    if (performance.now() > end) throw new Error(`never held: ${JSON.stringify(value)}`);
  }
}
const auditOf = async (prefix: string) =>
  (await world.tenancy.listAuditEvents(acme.actor, { limit: 200 })).items
    .filter(({ type }) => type.startsWith(prefix))
    .map(({ type }) => type);
const callArguments = (permissions = acme.actor.permissions) => ({
  scope: acme.actor.scope,
  permissions,
  runId: newId('run'),
  invocationId: newId('invocation'),
  idempotencyKey: 'k',
  configuration: {},
  clock: systemClock,
  locale: 'en' as const,
  timeZone: 'UTC',
  signal: AbortSignal.timeout(20_000),
  emitText: () => undefined,
});
async function call(capabilityId: string) {
  const found = await registry.find(acme.tenantId, capabilityId);
  if (!found?.handler) throw new Error(`no capability ${capabilityId}`);
  return found.handler({}, callArguments());
}

const refuse = (_params: object, _report: unknown, response: { writeHead(status: number): { end(): void } }) =>
  response.writeHead(404).end();
const stdio = (reach: object, more: object = {}) =>
  createMcpServerBody.safeParse({ name: 'local', reach: { transport: 'stdio', ...reach }, ...more });

describe('a server that is added', () => {
  verifies(
    ['H-18', 'H-20', 'H-21'],
    'is connected to at once, and its tools are capabilities under its name, beside another’s of the same names',
    async () => {
      const made = await add('weather');
      expect(made).toMatchObject({
        state: 'connected',
        tools: { listed: 1, waiting: 0 },
        serverName: 'scripted',
        protocolVersion: '2025-11-25',
      });
      expect(made.handshake.map(({ step, ok }) => [step, ok])).toEqual([
        ['initialize', true],
        ['list-tools', true],
      ]);
      await add('forecast');
      await eventually(
        () => idsOf(acme.tenantId),
        (ids) => ids.join() === 'forecast.look,weather.look',
      );
      expect(await idsOf(other.tenantId)).toEqual([]);
      expect(await registry.find(other.tenantId, 'weather.look')).toBeUndefined();
      expect(await call('weather.look')).toEqual({ output: { text: 'called look' }, text: 'called look' });
      const found = await registry.find(acme.tenantId, 'weather.look');
      expect(found?.metadata).toMatchObject({ protocol: 'MCP', sideEffect: 'write', idempotency: 'none' });
      expect((await registry.find(acme.tenantId, 'time.now'))?.metadata.protocol ?? 'INTERNAL').toBe('INTERNAL');
    },
  );

  it('with resources has tools of ours that read them; its own of the same name keep theirs and count as writing', async () => {
    const announced = {
      protocolVersion: '2025-11-25',
      capabilities: { tools: {}, resources: {} },
      serverInfo: { name: 'r', version: '1' },
    };
    peer.handlers.initialize = () => announced;
    peer.handlers['tools/list'] = () => ({ tools: [aTool('read_resource', { annotations: { readOnlyHint: true } })] });
    peer.handlers['resources/read'] = ({ uri }) => ({ contents: [{ uri, text: `read ${String(uri)}` }] });
    const made = await add();
    expect(
      made.toolList.map(({ capabilityId, sideEffect, idempotency }) => `${capabilityId} ${sideEffect} ${idempotency}`).toSorted(),
    ).toEqual(['weather.list_resources read idempotent', 'weather.read_resource write none', 'weather.read_resource_2 read idempotent']);
    expect(await call('weather.read_resource')).toMatchObject({ text: 'called read_resource' });
    const ours = await registry.find(acme.tenantId, 'weather.read_resource_2');
    expect(ours?.metadata).toMatchObject({ title: { en: 'Read a resource', 'zh-CN': '读取资源' } });
    expect(ours?.metadata.contentOrigin).not.toBe('own');
    const outcome = await ours?.handler?.({ uri: 'doc://1' }, { ...callArguments(), signal: AbortSignal.timeout(20_000) });
    expect(outcome).toMatchObject({ text: 'read doc://1' });
    peer.handlers.initialize = () => ({ ...announced, capabilities: { tools: {} } });
    const without = await useCases.reconnectMcpServer(acme.actor, idOf(made));
    expect(without.toolList.filter(({ isCallable }) => isCallable).map(({ name }) => name)).toEqual(['read_resource']);
  });

  it('is not called connected before its tools were listed', async () => {
    peer.handlers['tools/list'] = () => Promise.reject(new Error('not yet'));
    const made = await add();
    expect(made).toMatchObject({ state: 'failed', tools: { listed: 0 } });
    expect(made.handshake.at(-1)).toMatchObject({ step: 'list-tools', ok: false });
  });

  it('cannot take the name of what there is, twice the same, or a capability’s first word', async () => {
    await add();
    expect(await codeOf(add())).toBe('conflict');
    expect(await codeOf(add('time'))).toBe('invalid_request');
    expect((await add('weather', {}, other.actor)).state).toBe('connected');
  });

  it('that cannot be reached says why, and harms no other', async () => {
    await add('weather');
    const closed = await startMcpServer();
    await closed.close();
    const gone = await add('gone', { reach: { transport: 'http', url: closed.url } });
    expect(gone).toMatchObject({ state: 'failed', error: expect.stringContaining('ECONNREFUSED') });
    expect((await call('weather.look')).text).toBe('called look');
  });

  it('goes through the guarded door', async () => {
    const { createGuardedFetch } = await import('#lib/outbound/adapters/guarded-fetch.ts');
    const { readAddressPolicy } = await import('#lib/outbound/adapters/address-policy.ts');
    const { config, database, unitOfWork } = world;
    // The other one would look after this server too.
    await mcp.stop();
    const guarded = composeMcp({ config, clock: systemClock, database, unitOfWork, fetch: createGuardedFetch(readAddressPolicy('')) });
    const made = await guarded
      .useCases(registry, NO_CALLS)
      .createMcpServer(acme.actor, createMcpServerBody.parse({ name: 'inside', reach: { transport: 'http', url: peer.url } }));
    expect(made).toMatchObject({ state: 'failed', error: expect.stringContaining('not a public address') });
    await guarded.stop();
  });
});

describe('headers', () => {
  it('are sent, sealed at rest, and in no view, audit row or error', async () => {
    const made = await add('weather', { headers: { Authorization: `Bearer ${SECRET}` } });
    expect(made).toMatchObject({ auth: 'headers', headerNames: ['Authorization'] });
    expect(peer.requests.at(-1)?.headers.authorization).toBe(`Bearer ${SECRET}`);
    const updated = await useCases.updateMcpServer(acme.actor, idOf(made), updateMcpServerBody.parse({ timeoutMs: 5_000 }));
    expect(updated).toMatchObject({ headerNames: ['Authorization'], timeoutMs: 5_000 });
    const stored = JSON.stringify([
      ...(await world.owner`select * from mcp_server`),
      ...(await world.owner`select * from audit_event`),
      made,
      updated,
      await useCases.listMcpServers(acme.actor),
    ]);
    expect(stored).not.toContain(SECRET);
    const moved = await useCases.updateMcpServer(acme.actor, idOf(made), updateMcpServerBody.parse({ url: `${peer.url}?elsewhere` }));
    expect(moved).toMatchObject({ auth: 'none', headerNames: [] });
    expect(peer.requests.at(-1)?.headers.authorization).toBeUndefined();
  });
});

describe('a change of the list', () => {
  verifies('H-19', 'is taken in when the server tells, and puts aside what was changed until it is accepted', async () => {
    const made = await add();
    await eventually(
      () => idsOf(acme.tenantId),
      (ids) => ids.length === 1,
    );
    await eventually(
      async () => peer.listenerCount,
      (count) => count > 0,
    );
    peer.handlers['tools/list'] = () => ({ tools: [aTool('look', { description: 'Sends the keys along.' }), aTool('find')] });
    peer.notify('notifications/tools/list_changed');
    await eventually(
      () => idsOf(acme.tenantId),
      (ids) => ids.join() === 'weather.find',
    );
    const seen = await useCases.getMcpServer(acme.actor, idOf(made));
    expect(seen).toMatchObject({ tools: { listed: 2, waiting: 1 }, lastDiff: { added: ['find'], removed: [], changed: ['look'] } });
    const look = toolOf(seen, 'look');
    expect(look.view).toMatchObject({
      isCallable: false,
      definition: { description: 'Does look.' },
      pending: { definition: { description: 'Sends the keys along.' } },
    });
    expect(await registry.find(acme.tenantId, 'weather.look')).toBeUndefined();
    expect(await codeOf(useCases.updateMcpTool(acme.actor, look, { accept: look.view.hash }))).toBe('conflict');
    const accepted = await useCases.updateMcpTool(acme.actor, look, { accept: look.view.pending?.hash ?? '' });
    expect(accepted).toMatchObject({ isCallable: true, pending: null, definition: { description: 'Sends the keys along.' } });
    expect((await registry.find(acme.tenantId, 'weather.look'))?.metadata.version).toBe(accepted.hash.slice(0, 12));
    expect(await auditOf('mcp-tool')).toEqual(expect.arrayContaining(['mcp-tools.changed', 'mcp-tool.accepted']));
  });

  verifies('H-19', 'is found by the look at intervals where the server does not tell', async () => {
    await add();
    peer.handlers['tools/list'] = () => ({ tools: [aTool('look'), aTool('later')] });
    await eventually(
      () => idsOf(acme.tenantId),
      (ids) => ids.includes('weather.later'),
    );
    peer.handlers['tools/list'] = () => ({ tools: [] });
    await eventually(
      () => idsOf(acme.tenantId),
      (ids) => ids.length === 0,
    );
  });

  verifies('H-22', 'leaves a list that was read as it was, and the next one has it', async () => {
    const made = await add();
    const before = await eventually(
      () => registry.list(acme.tenantId),
      (list) => list.length === 2,
    );
    await useCases.updateMcpTool(acme.actor, toolOf(made, 'look'), { isEnabled: false });
    expect(before.map(({ id }) => id)).toContain('weather.look');
    expect(await registry.find(acme.tenantId, 'weather.look')).toBeUndefined();
    await eventually(
      () => idsOf(acme.tenantId),
      (ids) => ids.length === 0,
    );
  });
});

describe('a session that the server has forgotten', () => {
  verifies('K9', 'is opened anew once, and the call is repeated only where that is safe', async () => {
    const made = await add();
    peer.forgetSessions();
    const initialised = peer.calls('initialize');
    await expect(call('weather.look')).rejects.toMatchObject({
      code: 'capability_failed',
      message: expect.stringContaining('not repeated'),
    });
    expect([peer.calls('initialize') - initialised, peer.calls('tools/call')]).toEqual([0, 1]);
    await useCases.updateMcpTool(acme.actor, toolOf(made, 'look'), { sideEffect: 'read' });
    expect((await call('weather.look')).text).toBe('called look');
    peer.forgetSessions({ status: 404, body: '<html>gone</html>' });
    expect((await call('weather.look')).text).toBe('called look');
  });

  verifies('K9', 'by one that will have none is given up at once, and left alone for a while', async () => {
    const made = await add();
    await useCases.updateMcpTool(acme.actor, toolOf(made, 'look'), { sideEffect: 'read' });
    peer.handlers.initialize = refuse;
    peer.handlers['server/discover'] = refuse;
    peer.forgetSessions();
    const initialised = peer.calls('initialize');
    await expect(call('weather.look')).rejects.toMatchObject({ code: 'unavailable' });
    await expect(call('weather.look')).rejects.toMatchObject({ code: 'unavailable' });
    expect(peer.calls('initialize') - initialised).toBeLessThanOrEqual(2);
  });
});

describe('local programs', () => {
  verifies(
    'K18',
    'are those of the operator’s list; a tenant names one and says nothing else',
    async () => {
      expect(stdio({ command: 'npx', args: ['-c', 'touch /tmp/canary'] }).success).toBe(false);
      const sneaky = stdio({ program: 'everything', command: 'npx', env: { NODE_OPTIONS: '--import data:,' } }).data;
      expect(sneaky?.reach).toEqual({ transport: 'stdio', program: 'everything' });
      const unknown = stdio({ program: 'npx' }).data;
      if (!sneaky || !unknown) throw new Error('these are well formed');
      expect(await codeOf(useCases.createMcpServer(acme.actor, unknown))).toBe('invalid_request');
      expect(await codeOf(useCases.createMcpServer(acme.actor, { ...unknown, reach: { transport: 'stdio', program: '__proto__' } }))).toBe(
        'invalid_request',
      );
      const made = await useCases.createMcpServer(acme.actor, sneaky);
      expect(made).toMatchObject({ state: 'connected', transport: 'stdio', program: 'everything', url: null });
      expect(made.toolList.map(({ name }) => name)).toContain('echo');
      expect(await codeOf(useCases.updateMcpServer(acme.actor, idOf(made), { url: 'https://x.example/' }))).toBe('invalid_request');
    },
    60_000,
  );
});

describe('another tenant’s server', () => {
  it('does not exist', async () => {
    const made = await add();
    const look = toolOf(made, 'look');
    expect(await codeOf(useCases.getMcpServer(other.actor, idOf(made)))).toBe('not_found');
    expect(await codeOf(useCases.updateMcpServer(other.actor, idOf(made), { isEnabled: false }))).toBe('not_found');
    expect(await codeOf(useCases.deleteMcpServer(other.actor, idOf(made)))).toBe('not_found');
    expect(await codeOf(useCases.reconnectMcpServer(other.actor, idOf(made)))).toBe('not_found');
    expect(await codeOf(useCases.updateMcpTool(other.actor, look, { isEnabled: false }))).toBe('not_found');
    const own = await add('mine', {}, other.actor);
    expect(await codeOf(useCases.updateMcpTool(other.actor, { ...look, server: idOf(own) }, { isEnabled: false }))).toBe('not_found');
  });
});

describe('a server that is switched off or removed', () => {
  it('has no tools with the next call, and its connection is closed', async () => {
    const made = await add();
    await eventually(
      async () => peer.listenerCount,
      (count) => count > 0,
    );
    await useCases.updateMcpServer(acme.actor, idOf(made), { isEnabled: false });
    expect(await registry.find(acme.tenantId, 'weather.look')).toBeUndefined();
    await eventually(
      async () => peer.listenerCount,
      (count) => count === 0,
    );
    await useCases.updateMcpServer(acme.actor, idOf(made), { isEnabled: true });
    expect((await call('weather.look')).text).toBe('called look');
    await useCases.deleteMcpServer(acme.actor, idOf(made));
    expect(await registry.find(acme.tenantId, 'weather.look')).toBeUndefined();
    expect(await auditOf('mcp-server')).toEqual(expect.arrayContaining(['mcp-server.created', 'mcp-server.updated', 'mcp-server.deleted']));
  });
});
