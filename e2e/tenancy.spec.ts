import { globSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Id, type IdKind, newId } from '#lib/kernel/index.ts';
import { CATALOGUE } from '#lib/plugins/index.ts';
import { BUILT_IN_ROLE_PERMISSIONS, BUILT_IN_ROLES, type BuiltInRole } from '#lib/tenancy/index.ts';
import { openRunningProduct, type RunningProduct } from '#lib/testing/running-product.ts';
import { expect, test } from './fixtures.ts';
import { ownerDatabaseUrl } from './owner-database.ts';
import { addressOf, type ListedRoute, type Method, ROUTES } from './route-list.ts';
import { type Answer, type ApiClient, anonymous, signedIn, withApiKey } from './tenancy-client.ts';
import { verifies } from './verifies-in-browser.ts';

/**
 * Two tenants, A and B, and every route of the API. Everything runs in one worker: the tests look at what is, was, and must
 * not have changed in the same two tenants.
 */
test.describe.configure({ mode: 'serial' });

const ROOT = path.resolve(import.meta.dirname, '..');
const METHODS: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const TENANT_ROUTES = ROUTES.filter((route) => route.access === 'tenant');
const nameOf = (route: ListedRoute) => `${route.method} ${route.path}`;
const stamp = Date.now().toString(36);

type World = Awaited<ReturnType<typeof buildWorld>>;
let product: RunningProduct;
let world: World;

test.beforeAll(async ({ baseURL }) => {
  product = openRunningProduct(ownerDatabaseUrl());
  world = await buildWorld(baseURL ?? '');
});
test.afterAll(() => product.close());

/** Both tenants, a client for each person, and one thing of each kind in A. */
async function buildWorld(origin: string) {
  const [a, b] = [await product.addTenant(`walk-a-${stamp}`), await product.addTenant(`walk-b-${stamp}`)];
  const people: Partial<Record<BuiltInRole, ApiClient>> = {};
  for (const role of BUILT_IN_ROLES) people[role] = await signedIn(origin, a.people[role]);
  const inA = people as Record<BuiltInRole, ApiClient>;
  const outsider = await signedIn(origin, b.people.owner);
  const made = async (where: string, body: unknown): Promise<Record<string, unknown>> => {
    const answer = await inA.owner.send('POST', `/api/t/${a.slug}/${where}`, body);
    if (answer.status !== 201) throw new Error(`${where}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body as Record<string, unknown>;
  };
  const waiting = await product.addWaitingRun({ tenantId: a.tenantId, email: a.people.owner.email });
  const key = await made('api-keys', { name: 'Of A', scopes: ['run:read', 'tenant:read'] });
  const me = (await inA.member.send('GET', `/api/t/${a.slug}/me`)).body as { user: { id: string } };
  const mine = (await inA.owner.send('GET', '/api/account/sign-in-sessions')).body as { items: { id: string }[] };
  const installed = CATALOGUE[0];
  const operation = await inA.owner.send('POST', `/api/t/${a.slug}/marketplace/${installed?.id}/install`, {
    version: installed?.version,
    permissions: installed?.permissions.map(({ permission }) => permission),
  });
  const pluginOperation = (operation.body as { id: string }).id;
  // What is looked at before and after must not move by itself.
  const isGoingOn = async () =>
    ((await inA.owner.send('GET', `/api/t/${a.slug}/marketplace/operations/${pluginOperation}`)).body as { state: string }).state ===
    'RUNNING';
  while (await isGoingOn()) await sleep(50);
  const exportOfA = ((await inA.owner.send('POST', `/api/t/${a.slug}/exports`, { format: 'csv' })).body as { id: string }).id;
  const exportState = async () => ((await inA.owner.send('GET', `/api/t/${a.slug}/exports/${exportOfA}`)).body as { state: string }).state;
  while (['QUEUED', 'RUNNING'].includes(await exportState())) await sleep(50);
  const mcpServer = await made('mcp/servers', { name: 'peer-of-a', reach: { transport: 'stdio', program: 'everything' } });
  // It is not looked at any more: nothing of it moves by itself.
  await inA.owner.send('PATCH', `/api/t/${a.slug}/mcp/servers/${String(mcpServer.id)}`, { isEnabled: false });
  const ids: Partial<Record<IdKind, string>> = {
    mcpServer: String(mcpServer.id),
    mcpTool: String((mcpServer.toolList as { id: string }[])[0]?.id),
    pluginOperation,
    pluginRequest: String((await made(`marketplace/${CATALOGUE.at(-1)?.id}/requests`, { reason: 'A needs this secretly' })).id),
    user: me.user.id,
    role: String((await made('roles', { name: 'Clerk', permissions: ['tenant:read'] })).id),
    apiKey: (key.apiKey as { id: string }).id,
    invitation: ((await made('invitations', { roleKey: 'member' })).invitation as { id: string }).id,
    document: String((await made('documents', { title: 'Secret plan of A', language: 'en', body: '# Secret plan of A' })).id),
    term: String((await made('terms', { term: 'Quartz of A', meaning: 'A secret of A' })).id),
    fact: String((await made('facts', { text: 'A keeps this' })).id),
    modelProvider: String(
      (
        await made('models/providers', {
          kind: 'compatible',
          name: 'Provider of A',
          baseUrl: 'https://models.a.example/v1',
          model: 'm',
          apiKey: 'key-of-A-0123456789',
        })
      ).id,
    ),
    budget: String((await made('budgets', { subject: 'session', measure: 'tokens', period: 'month', hardLimit: 5_000_000 })).id),
    session: waiting.sessionId,
    message: waiting.messageId,
    run: waiting.runId,
    invocation: waiting.invocationId,
    export: exportOfA,
    signInSession: String(mine.items[0]?.id),
  };
  const bKey = (await outsider.send('POST', `/api/t/${b.slug}/api-keys`, { name: 'Of B', scopes: [...BUILT_IN_ROLE_PERMISSIONS.owner] }))
    .body as { key: string };
  return {
    origin,
    a,
    b,
    inA,
    outsider,
    outsiderKey: withApiKey(origin, bKey.key),
    keyOfA: withApiKey(origin, String(key.key)),
    nobody: anonymous(origin),
    idInA: (kind: IdKind) => ids[kind] ?? newId(kind),
  };
}

const send = (client: ApiClient, route: ListedRoute, tenantSlug: string, idOf: (kind: IdKind) => string = newId) =>
  client.send(route.method, addressOf(route, tenantSlug, idOf), route.body);

/** What an answer says, without what differs between any two answers. */
function withoutTrace({ status, body }: Answer): unknown {
  return { status, body: typeof body === 'object' && body !== null ? { ...body, traceId: undefined } : body };
}

const codeOf = ({ status, body }: Answer) => [status, typeof body === 'object' && body !== null && 'code' in body ? body.code : null];

/** Everything that people of A can see of it, and how much is on A's record. */
async function lookAtA(): Promise<unknown> {
  const seen: Record<string, unknown> = {};
  for (const route of TENANT_ROUTES.filter(
    // A stream does not end; what is asked of /audit and who asks /me differ; a download is itself put on the record; a sign-in’s end leads to a page.
    ({ method, path }) => method === 'GET' && !['/stream', '/audit', '/me', '/file', '/mcp/sign-in'].some((end) => path.endsWith(end)),
  )) {
    const answer = await send(world.inA.owner, route, world.a.slug, world.idInA);
    expect({ route: nameOf(route), status: answer.status }).toEqual({ route: nameOf(route), status: 200 });
    // Figures are of the time up to now.
    const { body } = answer;
    const isOfNow = route.path.endsWith('/figures') && typeof body === 'object' && body !== null;
    seen[route.path] = withoutTrace(isOfNow ? { ...answer, body: { ...body, from: undefined, to: undefined } } : answer);
  }
  const [row] = await product.sql`select count(*)::int as events from audit_event where tenant_id = ${uuidOf(world.a.tenantId)}`;
  return { ...seen, audit: row?.events };
}

const uuidOf = (id: Id<IdKind>) => id.slice(-32);

test('every route under app/api is on the list, and no other', () => {
  const inFolders = globSync('app/api/**/route.ts', { cwd: ROOT }).flatMap((file) => {
    const route = `/${path.posix.dirname(file).replace(/^app\//, '')}`;
    const source = readFileSync(path.join(ROOT, file), 'utf8');
    const methods = METHODS.filter((method) =>
      new RegExp(`\\n  ${method}: |methods\\(\\{[^\\n]*\\b${method}: | as ${method}\\b|const ${method} =`).test(source),
    );
    return methods.map((method) => `${method} ${route}`);
  });
  expect(inFolders.length).toBeGreaterThan(40);
  expect(inFolders.sort()).toEqual(ROUTES.map(nameOf).sort());
});

test('a method that a route does not have answers 405 in JSON, and an unknown address 404', async () => {
  for (const address of new Set(ROUTES.filter(({ path }) => !path.includes('...')).map(({ path }) => path))) {
    const there = ROUTES.filter((route) => route.path === address);
    for (const method of METHODS.filter((method) => !there.some((route) => route.method === method))) {
      const answer = await world.nobody.send(method, addressOf({ method, path: address, access: 'public' }, world.a.slug, newId));
      expect({ method, address, answer: codeOf(answer) }).toEqual({ method, address, answer: [405, 'method_not_allowed'] });
      expect(answer.headers.get('allow')?.split(', ').sort()).toEqual(there.map((route) => route.method).sort());
    }
  }
  for (const address of ['/api/nothing', `/api/t/${world.a.slug}`, `/api/t/${world.a.slug}/nothing`]) {
    expect({ address, answer: codeOf(await world.inA.owner.send('GET', address)) }).toEqual({ address, answer: [404, 'not_found'] });
  }
});

test('nobody gets past the door of a tenant or an account', async () => {
  for (const route of ROUTES.filter(({ access }) => access !== 'public')) {
    for (const slug of [world.a.slug, 'never-was']) {
      expect({ route: nameOf(route), answer: codeOf(await send(world.nobody, route, slug, world.idInA)) }).toEqual({
        route: nameOf(route),
        answer: [401, 'unauthenticated'],
      });
    }
  }
});

test('each role may do what its permissions say, and is told which one is missing', async () => {
  for (const role of BUILT_IN_ROLES) {
    for (const route of TENANT_ROUTES) {
      const permission = route.permission ?? 'tenant:read';
      const isAllowed = BUILT_IN_ROLE_PERMISSIONS[role].includes(permission);
      // Ids that lead nowhere, and bodies without sense: who is allowed changes nothing either.
      const answer = await world.inA[role].send(
        route.method,
        addressOf(route, world.a.slug, newId),
        route.ids ? route.body : route.body && { sense: null },
      );
      const expected = !isAllowed
        ? [403, 'permission_denied']
        : route.ids
          ? [404, expect.stringMatching(/^(not_found|session_not_found)$/)]
          : null;
      const given = { role, route: nameOf(route), answer: codeOf(answer) };
      if (expected) expect(given).toEqual({ ...given, answer: expected });
      else expect({ ...given, isRefused: [401, 403, 404, 500].includes(answer.status) }).toEqual({ ...given, isRefused: false });
      if (!isAllowed) expect(answer.body).toMatchObject({ details: { permission, role } });
    }
  }
});

verifies(['K15', 'P-18'], 'for someone of another tenant, and for their API key, tenant A is as if it had never been', async () => {
  const before = await lookAtA();
  for (const client of [world.outsider, world.outsiderKey]) {
    for (const route of TENANT_ROUTES) {
      const there = withoutTrace(await send(client, route, world.a.slug, world.idInA));
      const nowhere = withoutTrace(await send(client, route, 'never-was', newId));
      expect({ route: nameOf(route), there }).toEqual({ route: nameOf(route), there: nowhere });
      expect(there).toMatchObject({ status: 404, body: { code: 'not_found' } });
    }
  }
  expect(await lookAtA()).toEqual(before);
});

verifies(
  'K15',
  'the ids of A, used in B, lead nowhere: nothing is shown, nothing changes, and the refusal is on B’s record alone',
  async () => {
    const before = await lookAtA();
    const [counted] =
      await product.sql`select count(*)::int as refusals from audit_event where type = 'permission.denied' and tenant_id = ${uuidOf(world.b.tenantId)}`;
    let changes = 0;
    for (const client of [world.outsider, world.outsiderKey]) {
      for (const route of TENANT_ROUTES.filter(({ ids }) => ids)) {
        const withTheirs = withoutTrace(await send(client, route, world.b.slug, world.idInA));
        const withNone = withoutTrace(await send(client, route, world.b.slug, newId));
        expect({ route: nameOf(route), answer: withTheirs }).toEqual({ route: nameOf(route), answer: withNone });
        expect(withTheirs).toMatchObject({ status: 404 });
        if (route.method !== 'GET') changes += 2;
      }
    }
    expect(await lookAtA()).toEqual(before);
    const [after] =
      await product.sql`select count(*)::int as refusals from audit_event where type = 'permission.denied' and tenant_id = ${uuidOf(world.b.tenantId)}`;
    expect(Number(after?.refusals) - Number(counted?.refusals)).toBe(changes);
  },
);

test('the sign-in session of someone else cannot be ended', async () => {
  const theirs = await world.outsider.send('DELETE', `/api/account/sign-in-sessions/${world.idInA('signInSession')}`);
  const none = await world.outsider.send('DELETE', `/api/account/sign-in-sessions/${newId('signInSession')}`);
  expect(withoutTrace(theirs)).toEqual(withoutTrace(none));
  expect(theirs.status).toBe(404);
  expect((await world.inA.owner.send('GET', '/api/account')).status).toBe(200);
});

test('no list, count or stream of B holds anything of A', async () => {
  for (const route of TENANT_ROUTES.filter(
    ({ method, ids, path }) => method === 'GET' && !ids && !path.endsWith('/stream') && !path.endsWith('/mcp/sign-in'),
  )) {
    const { status, body } = await send(world.outsider, route, world.b.slug);
    expect({ route: nameOf(route), status }).toEqual({ route: nameOf(route), status: 200 });
    // B's own refusals name what B asked for.
    const text = JSON.stringify(body, (_key, value) => (value?.type === 'permission.denied' ? null : value));
    for (const trace of [
      world.a.slug,
      world.a.tenantId,
      'Secret plan of A',
      'Quartz of A',
      'models.a.example',
      'peer-of-a',
      ...(
        [
          'user',
          'apiKey',
          'invitation',
          'document',
          'term',
          'fact',
          'modelProvider',
          'budget',
          'mcpServer',
          'mcpTool',
          'session',
          'run',
        ] as const
      ).map(world.idInA),
    ]) {
      expect({ route: nameOf(route), shows: text.includes(trace) ? trace : null }).toEqual({ route: nameOf(route), shows: null });
    }
  }
  const asked = [world.idInA('run'), newId('run')];
  const { text } = await world.outsider.follow(`/api/t/${world.b.slug}/stream?runs=${asked.map((id) => `${id}:0`).join(',')}`, 3_000);
  for (const id of asked) expect(text).toContain(`event: not-found\ndata: {"runId":"${id}"}`);
  expect(text).not.toContain('UserPromptSubmitted');
});

test('the tenant is the one in the address, whatever the request says besides', async () => {
  const asB = await world.outsider.send(
    'POST',
    `/api/t/${world.b.slug}/facts?tenant=${world.a.slug}&tenantId=${world.a.tenantId}`,
    { text: 'Of B', tenantId: world.a.tenantId, tenant: world.a.slug },
    { 'x-tenant-id': world.a.tenantId, 'x-tenant': world.a.slug },
  );
  expect(asB.status).toBe(201);
  const [row] = await product.sql`select tenant_id from stored_fact where id = ${uuidOf((asB.body as { id: Id<'fact'> }).id)}`;
  expect(String(row?.tenant_id).replaceAll('-', '')).toBe(uuidOf(world.b.tenantId));
});

test('what a member has in A is not there for another member, and a run only for those who may read everyone’s', async () => {
  const show = async (role: BuiltInRole, address: string) =>
    (await world.inA[role].send('GET', `/api/t/${world.a.slug}/${address}`)).status;
  const [session, run] = [world.idInA('session'), world.idInA('run')];
  expect(await show('owner', `sessions/${session}`)).toBe(200);
  for (const role of ['member', 'builder', 'admin'] as const)
    expect({ role, status: await show(role, `sessions/${session}`) }).toEqual({ role, status: 404 });
  expect(await show('member', `runs/${run}`)).toBe(404);
  for (const role of ['owner', 'admin', 'builder', 'auditor'] as const)
    expect({ role, status: await show(role, `runs/${run}`) }).toEqual({ role, status: 200 });
  const before = await lookAtA();
  expect((await world.inA.admin.send('DELETE', `/api/t/${world.a.slug}/sessions/${session}`)).status).toBe(404);
  expect(await lookAtA()).toMatchObject({ ...(before as object), audit: expect.any(Number) });
});

test('an API key has its scopes and its time, and is over when it is revoked', async () => {
  const owner = world.inA.owner;
  const keys = `/api/t/${world.a.slug}/api-keys`;
  expect((await world.keyOfA.send('GET', `/api/t/${world.a.slug}/me`)).status).toBe(200);
  expect(codeOf(await world.keyOfA.send('GET', `/api/t/${world.a.slug}/members`))).toEqual([403, 'permission_denied']);
  expect(codeOf(await world.keyOfA.send('GET', '/api/account'))).toEqual([401, 'unauthenticated']);

  const brief = (
    await owner.send('POST', keys, { name: 'Brief', scopes: ['tenant:read'], expiresAt: new Date(Date.now() + 1_500).toISOString() })
  ).body as { key: string };
  const lasting = (await owner.send('POST', keys, { name: 'Lasting', scopes: ['tenant:read'] })).body as {
    key: string;
    apiKey: { id: string };
  };
  const read = async (key: string) => codeOf(await withApiKey(world.origin, key).send('GET', `/api/t/${world.a.slug}/me`));
  expect(await read(brief.key)).toEqual([200, null]);
  expect(await read(lasting.key)).toEqual([200, null]);
  expect((await owner.send('DELETE', `${keys}/${lasting.apiKey.id}`)).status).toBe(204);
  expect(await read(lasting.key)).toEqual([401, 'unauthenticated']);
  await sleep(1_600);
  expect(await read(brief.key)).toEqual([401, 'unauthenticated']);
  for (const wrong of ['bw_', `bw_${'A'.repeat(43)}`, 'nonsense', `${lasting.key}x`])
    expect(await read(wrong)).toEqual([401, 'unauthenticated']);
});

/** The ways in which someone's rights can end, and what the next request then hears. */
const ENDINGS: readonly {
  readonly how: string;
  readonly change: Record<string, unknown> | 'remove';
  readonly next: readonly [number, string];
}[] = [
  { how: 'demotion', change: { roleKey: 'clerk' }, next: [403, 'permission_denied'] },
  { how: 'lock-out', change: { disabled: true }, next: [404, 'not_found'] },
  { how: 'removal', change: 'remove', next: [404, 'not_found'] },
];

for (const { how, change, next } of ENDINGS) {
  verifies('K17', `a ${how} holds from the next request on, and closes the open streams within two seconds`, async () => {
    const { origin, a, inA } = world;
    const account = { email: `${how}-${stamp}@example.test`, password: 'correct horse battery' };
    const added = (await inA.owner.send('POST', `/api/t/${a.slug}/members`, { ...account, name: how, roleKey: 'admin' })).body as {
      userId: string;
    };
    const person = await signedIn(origin, account);
    const { key } = (await person.send('POST', `/api/t/${a.slug}/api-keys`, { name: how, scopes: ['run:read'] })).body as { key: string };
    const { runId } = await product.addWaitingRun({ tenantId: a.tenantId, email: account.email });
    const startedAt = performance.now();
    const streams = [
      person.follow(`/api/t/${a.slug}/stream?runs=${runId}:0`, 10_000),
      person.follow(`/api/t/${a.slug}/runs/${runId}/events`, 10_000),
      withApiKey(origin, key).follow(`/api/t/${a.slug}/runs/${runId}/events`, 10_000),
    ];
    await sleep(700);
    const clerk = (await inA.owner.send('GET', `/api/t/${a.slug}/roles`)).body as { items: { key: string; name: string }[] };
    const roleKey = clerk.items.find(({ name }) => name === 'Clerk')?.key;
    const changedAt = performance.now();
    const where = `/api/t/${a.slug}/members/${added.userId}`;
    const done =
      change === 'remove'
        ? await inA.owner.send('DELETE', where)
        : await inA.owner.send('PATCH', where, { ...change, ...('roleKey' in change && { roleKey }) });
    expect(done.status).toBeLessThan(300);

    expect(codeOf(await person.send('GET', `/api/t/${a.slug}/runs`))).toEqual(next);
    expect(codeOf(await person.send('POST', `/api/t/${a.slug}/members`, { ...account, name: 'x', roleKey: 'member' }))).toEqual(next);
    expect((await withApiKey(origin, key).send('GET', `/api/t/${a.slug}/runs`)).status).toBe(
      change === 'remove' || 'disabled' in change ? 401 : 403,
    );
    for (const { status, text, endedAfterMs } of await Promise.all(streams)) {
      expect(status).toBe(200);
      expect(text).toContain('UserPromptSubmitted');
      expect(endedAfterMs).not.toBeNull();
      expect(startedAt + Number(endedAfterMs) - changedAt).toBeGreaterThan(0);
      expect(startedAt + Number(endedAfterMs) - changedAt).toBeLessThan(2_000);
    }
  });
}

verifies('K17', 'ending a sign-in from elsewhere closes its streams, and leaves the person’s others alone', async () => {
  const { origin, a } = world;
  const [here, there] = [await signedIn(origin, a.people.builder), await signedIn(origin, a.people.builder)];
  const { runId } = await product.addWaitingRun({ tenantId: a.tenantId, email: a.people.builder.email });
  const sessions = (await there.send('GET', '/api/account/sign-in-sessions')).body as { items: { id: string; isCurrent: boolean }[] };
  const thereId = sessions.items.find(({ isCurrent }) => isCurrent)?.id;
  const ended = there.follow(`/api/t/${a.slug}/runs/${runId}/events`, 6_000);
  const kept = here.follow(`/api/t/${a.slug}/runs/${runId}/events`, 4_000);
  await sleep(700);
  expect((await here.send('DELETE', `/api/account/sign-in-sessions/${thereId}`)).status).toBe(204);
  expect(codeOf(await there.send('GET', `/api/t/${a.slug}/me`))).toEqual([401, 'unauthenticated']);
  expect((await ended).endedAfterMs).toBeLessThan(2_700);
  expect((await kept).endedAfterMs).toBeNull();
});

test('bad input is answered clearly, and leaves nothing behind', async () => {
  const { origin, a, inA } = world;
  const before = await lookAtA();
  const facts = `${origin}/api/t/${a.slug}/facts`;
  const { key } = (await inA.owner.send('POST', `/api/t/${a.slug}/api-keys`, { name: 'Raw', scopes: ['memory:write'] })).body as {
    key: string;
  };
  const raw = async (body: BodyInit, type: string | null = 'application/json') => {
    const response = await fetch(facts, {
      method: 'POST',
      body,
      headers: { authorization: `Bearer ${key}`, ...(type && { 'content-type': type }) },
    });
    const answer = (await response.json()) as { code: string; message: string; traceId: string };
    expect(answer).toMatchObject({ code: expect.any(String), message: expect.any(String), traceId: response.headers.get('x-trace-id') });
    return [response.status, answer.code];
  };
  expect(await raw('{"text":')).toEqual([400, 'malformed_json']);
  expect(await raw('{"text":"x"}', 'text/plain')).toEqual([415, 'unsupported_media_type']);
  expect(await raw('{"text":""}')).toEqual([400, 'invalid_request']);
  expect(await raw('{}')).toEqual([400, 'invalid_request']);
  expect(await raw(JSON.stringify({ text: 'x'.repeat(1024 * 1024) }))).toEqual([413, 'payload_too_large']);
  expect(codeOf(await inA.owner.send('POST', `/api/t/${a.slug}/facts`, { text: 'x' }, { origin: 'https://evil.test' }))).toEqual([
    403,
    'forbidden_origin',
  ]);
  const after = (await lookAtA()) as Record<string, unknown>;
  const listed = '/api/t/[tenant]/facts';
  expect(after[listed]).toEqual((before as Record<string, unknown>)[listed]);
});

test('a page that is asked for under another host is sent to the one address, whatever its path', async ({ origin }) => {
  const ask = (host: string, page: string) =>
    new Promise<{ status: number | undefined; location: string | undefined }>((resolve, reject) => {
      request(origin, { path: page, headers: { host } }, (response) => {
        response.resume();
        resolve({ status: response.statusCode, location: response.headers.location });
      })
        .on('error', reject)
        .end();
    });
  const { port } = new URL(origin);
  expect(await ask(`localhost:${port}`, '/welcome?a=b&c=%E4%BD%A0')).toEqual({
    status: 307,
    location: `${origin}/welcome?a=b&c=%E4%BD%A0`,
  });
  expect(await ask('evil.test', '/demo/chat')).toEqual({ status: 307, location: `${origin}/demo/chat` });
  const odd = await fetch(`${origin}/api/address?page=${Buffer.from('//evil.test/x').toString('base64url')}`, { redirect: 'manual' });
  expect(new URL(odd.headers.get('location') ?? '').origin).toBe(origin);
});
