import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createCapabilityRegistry } from '#lib/capabilities/index.ts';
import { composeMcp } from '#lib/composition/mcp.ts';
import { type Id, newId } from '#lib/kernel/index.ts';
import type { Actor } from '#lib/tenancy/index.ts';
import { startMcpOauthServer } from '#lib/testing/mcp-oauth-server.ts';
import { type McpServerUnderTest, startMcpServer } from '#lib/testing/mcp-server.ts';
import { codeOf, createTenancyWorld, type TenancyWorld } from '#lib/testing/tenancy-world.ts';
import { createMcpServerBody, updateMcpServerBody } from './contract.ts';

const NO_CALLS = { listCapabilities: async () => [], call: () => Promise.reject(new Error('nothing is called here')) };

let world: TenancyWorld;
let acme: Awaited<ReturnType<TenancyWorld['addTenant']>>;
let other: Awaited<ReturnType<TenancyWorld['addTenant']>>;
let bob: Actor;
let peer: McpServerUnderTest;
let oauth: Awaited<ReturnType<typeof startMcpOauthServer>>;
/** Two processes over one database. */
let first: ReturnType<typeof start>;
let second: ReturnType<typeof start>;

function start() {
  const { clock, config, database, unitOfWork } = world;
  const mcp = composeMcp({ config, clock, database, unitOfWork, fetch: globalThis.fetch });
  const registry = createCapabilityRegistry(undefined, [mcp.source]);
  return { mcp, registry, useCases: mcp.useCases(registry, NO_CALLS) };
}

beforeAll(async () => {
  world = await createTenancyWorld({ MCP_CHECK_MS: '1000' });
});
afterAll(() => world.close());
beforeEach(async () => {
  const stamp = newId('tenant').slice(-8);
  acme = await world.addTenant(`acme-${stamp}`);
  other = await world.addTenant(`other-${stamp}`);
  bob = await world.actorOf(acme.slug, await world.addPerson(acme.actor, 'member'));
  peer = await startMcpServer({
    'tools/call': () => ({ content: [{ type: 'text', text: `as ${String(oauth.personOf(peer.requests.at(-1)?.headers ?? {}))}` }] }),
  });
  oauth = await startMcpOauthServer(peer);
  [first, second] = [start(), start()];
});
afterEach(async () => {
  await Promise.all([first.mcp.stop(), second.mcp.stop()]);
  await Promise.all([peer.close(), oauth.close()]);
});

const add = (more: object = {}, by = acme.actor) =>
  first.useCases.createMcpServer(
    by,
    createMcpServerBody.parse({ name: 'notes', reach: { transport: 'http', url: peer.url }, signIn: {}, ...more }),
  );
const idOf = (view: { id: string }) => view.id as Id<'mcpServer'>;
const pathOf = ({ slug }: { slug: string }, id: string) => `/api/t/${slug}/mcp/accounts/${id}`;

/** To the authorization server and back, as a browser goes: what it comes back with. */
async function visit(authorizationUrl: string): Promise<URL> {
  const response = await fetch(authorizationUrl, { redirect: 'manual' });
  const location = response.headers.get('location');
  if (location === null) throw new Error(`it answered ${response.status}: ${await response.text()}`);
  return new URL(location);
}
const answerIn = (url: URL) => ({ state: '', ...Object.fromEntries(url.searchParams) });
async function begin(actor: Actor, id: Id<'mcpServer'>) {
  const { authorizationUrl } = await first.useCases.beginMcpSignIn(actor, id, pathOf(acme, id));
  return visit(authorizationUrl);
}
async function connect(actor: Actor, id: Id<'mcpServer'>, person: string) {
  oauth.state.person = person;
  return first.useCases.finishMcpSignIn(actor, answerIn(await begin(actor, id)));
}
async function call(actor: Actor, process = first): Promise<string> {
  const found = await process.registry.find(actor.scope.tenantId, 'notes.look');
  if (!found?.handler) throw new Error('no capability notes.look');
  const { text } = await found.handler(
    {},
    {
      scope: actor.scope,
      permissions: actor.permissions,
      runId: newId('run'),
      invocationId: newId('invocation'),
      idempotencyKey: 'k',
      configuration: {},
      clock: world.clock,
      locale: 'en' as const,
      timeZone: 'UTC',
      signal: AbortSignal.timeout(20_000),
      emitText: () => undefined,
    },
  );
  return text;
}
const stateOf = async (actor: Actor) => (await second.useCases.listMcpAccounts(actor)).accounts.map(({ state }) => state);
const auditOf = async (prefix: string) =>
  (await world.tenancy.listAuditEvents(acme.actor, { limit: 200 })).items.filter(({ type }) => type.startsWith(prefix));

describe('a server where each person signs in', () => {
  it('says so until somebody has, and lists its tools with the account of whoever connects', async () => {
    const made = await add();
    expect(made).toMatchObject({ auth: 'oauth', state: 'sign-in-needed', signIn: { clientId: null, isGiven: false, scope: null } });
    expect(made.error).toContain('Connect your account to notes');
    expect(peer.requests).toEqual([]);
    expect(await stateOf(acme.actor)).toEqual(['none']);
    expect(await connect(acme.actor, idOf(made), 'ann')).toEqual({ end: 'connected', server: 'notes' });
    expect(await first.useCases.getMcpServer(acme.actor, idOf(made))).toMatchObject({
      state: 'connected',
      nextCheckAt: null,
      signIn: { clientId: 'client-1', isGiven: false },
    });
    expect(await stateOf(acme.actor)).toEqual(['connected']);
    expect((await auditOf('mcp-account.')).map(({ type, target }) => [type, target.id])).toEqual([['mcp-account.connected', made.id]]);
  });

  it('is called by each with their own account and never with another’s', async () => {
    const id = idOf(await add());
    await connect(acme.actor, id, 'ann');
    expect(await call(acme.actor)).toBe('as ann');
    const calls = peer.calls('tools/call');
    await expect(call(bob)).rejects.toMatchObject({
      code: 'unauthenticated',
      message: expect.stringContaining('Connect your account to notes: open Settings, Connected accounts'),
    });
    expect(peer.calls('tools/call')).toBe(calls);
    await connect(bob, id, 'bob');
    expect(await Promise.all([call(bob), call(acme.actor), call(bob, second)])).toEqual(['as bob', 'as ann', 'as bob']);
    // One registration serves them all.
    expect(oauth.state.registrations).toBe(1);
    expect(await codeOf(first.useCases.beginMcpSignIn(other.actor, id, pathOf(other, id)))).toBe('not_found');
    expect(await codeOf(first.useCases.disconnectMcpAccount(other.actor, id))).toBe('not_found');
    expect(await first.useCases.listMcpAccounts(other.actor)).toEqual({ accounts: [] });
  });

  it('keeps tokens, verifiers and secrets sealed, for their row alone', async () => {
    const id = idOf(await add());
    await begin(bob, id);
    await connect(acme.actor, id, 'ann');
    const rows = await world.owner`select * from mcp_account`;
    const authorization = String(peer.requests.at(-1)?.headers.authorization);
    expect(authorization).toMatch(/^Bearer [0-9a-f]{48}$/);
    expect(JSON.stringify(rows)).not.toContain(authorization.slice(7));
    expect(JSON.stringify(await auditOf('mcp'))).not.toContain(authorization.slice(7));
    const [hers] = await world.owner`select encrypted_tokens, tokens_key_id from mcp_account where encrypted_tokens is not null`;
    await world.owner`
      update mcp_account set encrypted_tokens = ${hers?.encrypted_tokens}, tokens_key_id = ${hers?.tokens_key_id} where encrypted_tokens is null`;
    await expect(call(bob)).rejects.toMatchObject({ message: expect.stringContaining('cannot be read') });
  });
});

describe('a sign-in', () => {
  it('is ended by the person who began it, once, and with the state that was given out', async () => {
    const id = idOf(await add());
    const answer = answerIn(await begin(acme.actor, id));
    const { useCases } = second;
    expect(await useCases.finishMcpSignIn(acme.actor, { ...answer, state: `${answer.state}x` })).toEqual({ end: 'unknown' });
    expect(await useCases.finishMcpSignIn(bob, answer)).toEqual({ end: 'unknown' });
    expect(await useCases.finishMcpSignIn(other.actor, answer)).toEqual({ end: 'unknown' });
    expect(await useCases.finishMcpSignIn(acme.actor, answer)).toEqual({ end: 'connected', server: 'notes' });
    expect(await useCases.finishMcpSignIn(acme.actor, answer)).toEqual({ end: 'unknown' });
    expect(await stateOf(bob)).toEqual(['none']);
  });

  it('that was declined, is too old, or comes from another authorization server connects nothing', async () => {
    const id = idOf(await add());
    oauth.state.declines = true;
    expect(await connect(acme.actor, id, 'ann')).toEqual({ end: 'declined' });
    oauth.state.declines = false;
    const elsewhere = { ...answerIn(await begin(acme.actor, id)), iss: 'https://elsewhere.example' };
    expect(await first.useCases.finishMcpSignIn(acme.actor, elsewhere)).toEqual({ end: 'refused' });
    const late = answerIn(await begin(acme.actor, id));
    world.clock.advance(11 * 60_000);
    expect(await first.useCases.finishMcpSignIn(acme.actor, late)).toEqual({ end: 'unknown' });
    expect(await stateOf(acme.actor)).toEqual(['none']);
  });

  it('uses the client that an administrator gave, whose secret is not shown', async () => {
    const redirectUri = new URL(`/api/t/${acme.slug}/mcp/sign-in`, world.config.publicUrl).href;
    oauth.addClient('given', 'the-client-secret', redirectUri);
    const made = await add({ signIn: { clientId: 'given', clientSecret: 'the-client-secret', scope: 'notes:read extra' } });
    expect(made.signIn).toEqual({ clientId: 'given', isGiven: true, scope: 'notes:read extra' });
    await connect(acme.actor, idOf(made), 'ann');
    expect(oauth.state.registrations).toBe(0);
    expect((await first.useCases.listMcpAccounts(acme.actor)).accounts[0]).toMatchObject({ scope: 'notes:read extra' });
    expect(JSON.stringify([made, await auditOf('mcp-server.')])).not.toContain('the-client-secret');
  });

  it('is refused where the server says that it is another', async () => {
    const id = idOf(await add());
    oauth.state.resource = 'https://victim.example/mcp';
    await expect(first.useCases.beginMcpSignIn(acme.actor, id, pathOf(acme, id))).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('is not for a server that takes headers as well, or is a local program', async () => {
    expect(await codeOf(add({ headers: { 'x-key': 'v' } }))).toBe('invalid_request');
    expect(await codeOf(add({ reach: { transport: 'stdio', program: 'everything' } }))).toBe('invalid_request');
  });
});

describe('tokens that end', () => {
  it('are renewed once, however many processes find them used up', async () => {
    const id = idOf(await add());
    await connect(acme.actor, id, 'ann');
    await Promise.all([call(acme.actor, first), call(acme.actor, second)]);
    oauth.state.renewalMs = 300;
    world.clock.advance(3_600_000);
    const told = await Promise.all([call(acme.actor, first), call(acme.actor, second), call(acme.actor, first), call(acme.actor, second)]);
    expect(told).toEqual(['as ann', 'as ann', 'as ann', 'as ann']);
    expect(oauth.state.renewals).toBe(1);
  });

  it('are renewed where a request is turned away before their time', async () => {
    const id = idOf(await add());
    await connect(acme.actor, id, 'ann');
    await call(acme.actor);
    oauth.endAccess();
    expect(await call(acme.actor)).toBe('as ann');
    expect(oauth.state.renewals).toBe(1);
  });

  it('are taken over from a process that died while it renewed', async () => {
    const id = idOf(await add());
    await connect(acme.actor, id, 'ann');
    await world.owner`update mcp_account set renewing_until = now() + interval '1 second'`;
    world.clock.advance(3_600_000);
    expect(await call(acme.actor)).toBe('as ann');
    expect(oauth.state.renewals).toBe(1);
  });

  it('and cannot be renewed ask their person to connect again, which then serves at once', async () => {
    const id = idOf(await add());
    await connect(acme.actor, id, 'ann');
    await call(acme.actor);
    oauth.endAll();
    await expect(call(acme.actor)).rejects.toMatchObject({ code: 'unauthenticated', message: expect.stringContaining('Connect it again') });
    expect(await stateOf(acme.actor)).toEqual(['lapsed']);
    const renewals = oauth.state.renewals;
    await expect(call(acme.actor)).rejects.toMatchObject({ code: 'unauthenticated' });
    expect(oauth.state.renewals).toBe(renewals);
    await connect(acme.actor, id, 'ann');
    expect(await call(acme.actor)).toBe('as ann');
  });

  it('stay where the authorization server is down', async () => {
    const id = idOf(await add());
    await connect(acme.actor, id, 'ann');
    await call(acme.actor);
    oauth.state.isDown = true;
    world.clock.advance(3_600_000);
    expect(await codeOf(call(acme.actor))).not.toBe('unauthenticated');
    expect(await stateOf(acme.actor)).toEqual(['connected']);
    oauth.state.isDown = false;
    expect(await call(acme.actor, second)).toBe('as ann');
  });

  it('that lack a right ask for it by the next sign-in', async () => {
    const id = idOf(await add());
    await connect(acme.actor, id, 'ann');
    await call(acme.actor);
    oauth.state.needs = 'notes:write';
    await expect(call(acme.actor)).rejects.toMatchObject({ code: 'unauthenticated', message: expect.stringContaining('notes:write') });
    expect((await first.useCases.listMcpAccounts(acme.actor)).accounts).toMatchObject([{ state: 'connected', wantsMore: true }]);
    await connect(acme.actor, id, 'ann');
    expect((await first.useCases.listMcpAccounts(acme.actor)).accounts).toMatchObject([
      { state: 'connected', wantsMore: false, scope: 'notes:read notes:write' },
    ]);
    expect(await call(acme.actor)).toBe('as ann');
  });
});

describe('what is forgotten', () => {
  it('is forgotten at once, in every process', async () => {
    const id = idOf(await add());
    await connect(acme.actor, id, 'ann');
    await call(acme.actor, second);
    await first.useCases.disconnectMcpAccount(acme.actor, id);
    expect(await codeOf(call(acme.actor, second))).toBe('unauthenticated');
    expect(await stateOf(acme.actor)).toEqual(['none']);
    expect((await auditOf('mcp-account.disconnected')).length).toBe(1);
    expect(await codeOf(first.useCases.disconnectMcpAccount(acme.actor, id))).toBe('not_found');
  });

  it('includes every account when the server is reached at another address', async () => {
    const id = idOf(await add());
    await connect(acme.actor, id, 'ann');
    const late = answerIn(await begin(bob, id));
    const thief = await startMcpServer();
    try {
      await first.useCases.updateMcpServer(acme.actor, id, updateMcpServerBody.parse({ url: thief.url }));
      expect(await codeOf(call(acme.actor))).toBe('unauthenticated');
      expect(await first.useCases.finishMcpSignIn(bob, late)).toEqual({ end: 'unknown' });
      expect(thief.requests).toEqual([]);
    } finally {
      await thief.close();
    }
  });

  it('goes with whoever leaves the workspace', async () => {
    const id = idOf(await add());
    await connect(bob, id, 'bob');
    await world.tenancy.removeMember(acme.actor, bob.scope.userId);
    expect(
      await world.owner`select 1 from mcp_account where server_id in (select id from mcp_server where name = 'notes') and user_id = (select id from app_user where email = ${bob.email})`,
    ).toHaveLength(0);
  });
});
