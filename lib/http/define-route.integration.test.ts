import { encode } from 'next-auth/jwt';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { AppError, newId } from '#lib/kernel/index.ts';
import { createTenancyWorld, type Person, type TenancyWorld } from '#lib/testing/tenancy-world.ts';
import { cookieSecret, sessionCookies } from '../auth/session-cookie.ts';
import { accountRoute } from './account-route.ts';
import { errorBody } from './contract.ts';
import { defineRoute } from './define-route.ts';
import { publicRoute } from './public-route.ts';
import { BODY_LIMIT_BYTES } from './read-body.ts';
import { idParameter } from './route-parts.ts';
import { methods, type RouteHandler, unknownRoute } from './serve.ts';

let world: TenancyWorld;
let acme: Awaited<ReturnType<TenancyWorld['addTenant']>>;
let member: Person;
const handled: unknown[] = [];

beforeAll(async () => {
  world = await createTenancyWorld();
  acme = await world.addTenant('acme');
  await world.addTenant('other');
  member = await world.addPerson(acme.actor, 'member');
});
afterAll(() => world.close());
afterEach(() => handled.splice(0));

const body = z.object({ text: z.string().min(1), count: z.number().optional() });
const write = defineRoute({
  permission: 'knowledge:write',
  params: z.object({ document: idParameter('document') }),
  query: z.object({ limit: z.coerce.number().int().max(10).default(5), tag: z.union([z.string(), z.array(z.string())]).optional() }),
  body,
  status: 201,
  handle: async (call) => {
    handled.push(call);
    return { text: call.body.text, limit: call.query.limit, tag: call.query.tag, document: call.params.document };
  },
});
const read = defineRoute({ permission: 'tenant:read', handle: async ({ actor }) => ({ user: actor.scope.userId }) });

async function cookieOf(person: Person): Promise<string> {
  const { userId, signInSessionId } = await world.signIn(person);
  const token = await encode({ token: { sub: userId, signInSessionId }, secret: cookieSecret(world.config) });
  return `${sessionCookies(world.config).sessionToken.name}=${token}`;
}

async function send(
  route: RouteHandler,
  given: { tenant?: string; document?: string; search?: string; method?: string; headers?: Record<string, string | null>; body?: BodyInit },
): Promise<{ status: number; headers: Headers; body: z.infer<typeof errorBody> & Record<string, unknown> }> {
  const headers = new Headers({ host: '127.0.0.1:3000', origin: 'http://127.0.0.1:3000', 'content-type': 'application/json' });
  for (const [name, value] of Object.entries(given.headers ?? {}))
    if (value === null) headers.delete(name);
    else headers.set(name, value);
  const method = given.method ?? 'POST';
  const request = new Request(`http://localhost/api/t/acme/documents${given.search ?? ''}`, {
    method,
    headers,
    ...(method === 'GET' ? {} : { body: given.body ?? '{"text":"hello"}', duplex: 'half' }),
  });
  const params = { tenant: given.tenant ?? 'acme', document: given.document ?? newId('document') };
  const response = await route(request, { params: Promise.resolve(params) });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text ? JSON.parse(text) : null };
}

const refusalsOnRecord = async (tenantId: string | null) => {
  const rows = tenantId
    ? await world.owner`select payload from audit_event where type = 'permission.denied' and payload like ${`%${tenantId}%`} order by id`
    : await world.owner`select payload from platform_audit where type = 'permission.denied' order by id`;
  return rows.map((row) => JSON.parse(String(row.payload)));
};

const failing = (error: Error) =>
  defineRoute({
    permission: 'tenant:read',
    handle: async () => {
      throw error;
    },
  });

describe('a route of a tenant', () => {
  it('hands on what was sent, parsed, and answers with a trace id', async () => {
    const cookie = await cookieOf(acme.owner);
    const document = newId('document');
    const answer = await send(write, { document, search: '?limit=7&tag=a&tag=b', headers: { cookie } });
    expect(answer).toMatchObject({ status: 201, body: { text: 'hello', limit: 7, tag: ['a', 'b'], document } });
    expect(answer.headers.get('x-trace-id')).toMatch(/^[0-9a-f]{32}$/);
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  it('asks who is there first, then for the tenant, then for the right, then for sense', async () => {
    const nobody = await send(write, { tenant: 'other', document: 'x', headers: { 'content-type': 'text/plain' } });
    expect(nobody).toMatchObject({ status: 401, body: { code: 'unauthenticated', traceId: nobody.headers.get('x-trace-id') } });
    const cookie = await cookieOf(member);
    expect(await send(write, { tenant: 'other', document: 'x', headers: { cookie } })).toMatchObject({
      status: 404,
      body: { code: 'not_found' },
    });
    expect(await send(write, { document: 'x', headers: { cookie } })).toMatchObject({
      status: 403,
      body: { code: 'permission_denied', details: { permission: 'knowledge:write', role: 'member' } },
    });
    expect(await send(write, { document: 'x', headers: { cookie: await cookieOf(acme.owner) } })).toMatchObject({ status: 404 });
    expect(handled).toEqual([]);
  });

  it('says the same of a tenant of others and one that never was', async () => {
    const cookie = await cookieOf(member);
    const [theirs, none] = [
      await send(read, { tenant: 'other', method: 'GET', headers: { cookie } }),
      await send(read, { tenant: 'none', method: 'GET', headers: { cookie } }),
    ];
    expect({ ...theirs.body, traceId: '' }).toEqual({ ...none.body, traceId: '' });
    expect(theirs.status).toBe(none.status);
  });

  it('records a lack of rights, and changes aimed at nothing, in the sender’s own tenant or the platform’s log', async () => {
    const cookie = await cookieOf(member);
    const before = (await refusalsOnRecord(acme.tenantId)).length;
    await send(write, { headers: { cookie } });
    await send(write, { document: 'x', headers: { cookie: await cookieOf(acme.owner) } });
    expect((await refusalsOnRecord(acme.tenantId)).slice(before)).toMatchObject([
      {
        actor: { kind: 'user', id: member.userId },
        target: { kind: 'route' },
        details: { code: 'permission_denied', permission: 'knowledge:write' },
      },
      { actor: { kind: 'user', id: acme.owner.userId }, details: { code: 'not_found', method: 'POST' } },
    ]);
    const platform = (await refusalsOnRecord(null)).length;
    await send(write, { tenant: 'other', headers: { cookie } });
    await send(read, { tenant: 'other', method: 'GET', headers: { cookie } });
    expect((await refusalsOnRecord(null)).slice(platform)).toMatchObject([
      { actor: { kind: 'user', id: member.userId }, details: { code: 'not_found' } },
    ]);
    const [other] =
      await world.owner`select count(*)::int as refusals from audit_event where type = 'permission.denied' and tenant_id = (select id from tenant where slug = 'other')`;
    expect(other?.refusals).toBe(0);
  });

  it('takes a change by cookie from its own origin alone', async () => {
    const cookie = await cookieOf(acme.owner);
    for (const headers of [
      { origin: 'https://evil.test' },
      { origin: null },
      { origin: 'null' },
      { origin: 'http://localhost:3000' },
      { host: 'evil.test' },
    ]) {
      expect(await send(write, { headers: { cookie, ...headers } })).toMatchObject({ status: 403, body: { code: 'forbidden_origin' } });
    }
    expect((await send(read, { method: 'GET', headers: { cookie, origin: null } })).status).toBe(200);
    const { key } = await world.tenancy.createApiKey(acme.actor, { name: 'k', scopes: ['knowledge:write'] });
    expect((await send(write, { headers: { authorization: `Bearer ${key}`, origin: null, host: 'anything' } })).status).toBe(201);
  });

  it('refuses other types, too much, no JSON and the wrong shape, each in its own words', async () => {
    const cookie = await cookieOf(acme.owner);
    const answer = async (given: Parameters<typeof send>[1]) => {
      const { status, body } = await send(write, { ...given, headers: { cookie, ...given.headers } });
      return [status, body.code];
    };
    expect(await answer({ headers: { 'content-type': 'text/plain' } })).toEqual([415, 'unsupported_media_type']);
    expect(await answer({ headers: { 'content-type': null } })).toEqual([415, 'unsupported_media_type']);
    expect(await answer({ headers: { 'content-type': 'application/json; charset=utf-8' } })).toEqual([201, undefined]);
    for (const text of ['', '{', '{"text":"a"', 'undefined', "{'text':'a'}"])
      expect(await answer({ body: text })).toEqual([400, 'malformed_json']);
    for (const text of ['null', '[]', '"text"', '{}', '{"text":""}', '{"text":5}'])
      expect(await answer({ body: text })).toEqual([400, 'invalid_request']);
    expect(await answer({ search: '?limit=99' })).toEqual([400, 'invalid_request']);
    expect(await answer({ body: JSON.stringify({ text: 'x'.repeat(BODY_LIMIT_BYTES) }) })).toEqual([413, 'payload_too_large']);
    expect(handled).toHaveLength(1);
  });

  it('names what is wrong, and where', async () => {
    const { body } = await send(write, { body: '{"text":"","count":"many"}', headers: { cookie: await cookieOf(acme.owner) } });
    expect(body).toMatchObject({ code: 'invalid_request', details: { problems: [{ path: 'body.text' }, { path: 'body.count' }] } });
  });

  it('stops reading a body that never ends, whatever its length header says', async () => {
    let sent = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 65_536;
        controller.enqueue(new Uint8Array(65_536).fill(32));
      },
    });
    const answer = await send(write, { body: endless, headers: { cookie: await cookieOf(acme.owner), 'content-length': '20' } });
    expect(answer).toMatchObject({ status: 413, body: { code: 'payload_too_large' } });
    expect(sent).toBeLessThan(BODY_LIMIT_BYTES * 2);
  });

  it('takes NUL, lone surrogates and bytes that are no UTF-8', async () => {
    const cookie = await cookieOf(acme.owner);
    for (const sent of [
      '{"text":"a\\u0000b"}',
      '{"text":"\\ud800"}',
      new Uint8Array([...Buffer.from('{"text":"'), 0xff, 0xfe, ...Buffer.from('"}')]),
    ]) {
      expect((await send(write, { body: sent, headers: { cookie } })).status).toBe(201);
    }
  });

  it('tells the sender little about a failure of ours, and of a database that is away when to expect it', async () => {
    const cookie = await cookieOf(acme.owner);
    const get = async (error: Error) => send(failing(error), { method: 'GET', headers: { cookie } });
    const vague = await get(new Error('password of the database: hunter2'));
    expect(vague).toMatchObject({ status: 500, body: { code: 'internal' } });
    expect(JSON.stringify(vague.body)).not.toContain('hunter2');
    expect(await get(Object.assign(new Error('x'), { cause: { code: 'ECONNREFUSED' } }))).toMatchObject({
      status: 503,
      body: { code: 'unavailable' },
    });
    expect(await get(new AppError({ code: 'conflict', message: 'Said before.', details: { a: 1 } }))).toMatchObject({
      status: 409,
      body: { message: 'Said before.', details: { a: 1 } },
    });
    const limited = await get(new AppError({ code: 'rate_limited', message: 'Later.', details: { retryAfterSeconds: 30 } }));
    expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '30']);
  });

  it('notices an answer of its own that has the wrong shape', async () => {
    const wrong = defineRoute({ permission: 'tenant:read', response: z.object({ name: z.string() }), handle: async () => ({ nome: 'x' }) });
    expect(await send(wrong, { method: 'GET', headers: { cookie: await cookieOf(acme.owner) } })).toMatchObject({
      status: 500,
      body: { code: 'internal' },
    });
  });

  it('can read the sender’s rights again while it answers', async () => {
    const person = await world.addPerson(acme.actor, 'auditor');
    const codes: string[] = [];
    const slow = defineRoute({
      permission: 'audit:read',
      handle: async ({ reauthorize }) => {
        codes.push((await reauthorize()).roleKey);
        await world.tenancy.changeMember(acme.actor, person.userId, { roleKey: 'member' });
        await reauthorize();
      },
    });
    expect(await send(slow, { method: 'GET', headers: { cookie: await cookieOf(person) } })).toMatchObject({
      status: 403,
      body: { code: 'permission_denied' },
    });
    expect(codes).toEqual(['auditor']);
  });
});

describe('a route of the account', () => {
  const account = accountRoute({ handle: async ({ account }) => ({ email: account.email }) });
  const get = (headers: Record<string, string>) => send(account, { method: 'GET', headers });

  it('is for people who are signed in, and not for API keys', async () => {
    expect(await get({ cookie: await cookieOf(member) })).toMatchObject({ status: 200, body: { email: member.email } });
    expect((await get({})).status).toBe(401);
    const { key } = await world.tenancy.createApiKey(acme.actor, { name: 'k', scopes: ['tenant:read'] });
    expect((await get({ authorization: `Bearer ${key}` })).status).toBe(401);
  });
});

describe('a public route', () => {
  const open = publicRoute({ body, handle: async ({ findAccount }) => ({ email: (await findAccount())?.email ?? null }) });

  it('takes a script without an origin, and no page of another site', async () => {
    expect(await send(open, { headers: { origin: null } })).toMatchObject({ status: 200, body: { email: null } });
    expect(await send(open, { headers: { cookie: await cookieOf(member) } })).toMatchObject({ status: 200, body: { email: member.email } });
    for (const headers of [
      { origin: 'https://evil.test' },
      { origin: 'null' },
      { origin: null, 'sec-fetch-site': 'cross-site' },
      { origin: null, cookie: 'a=b' },
    ]) {
      expect(await send(open, { headers })).toMatchObject({ status: 403, body: { code: 'forbidden_origin' } });
    }
  });
});

describe('methods', () => {
  it('answer 405 where there is none, and name those there are', async () => {
    const { DELETE, GET } = methods({ GET: read, POST: write });
    const answer = await send(DELETE, { method: 'DELETE' });
    expect(answer).toMatchObject({ status: 405, body: { code: 'method_not_allowed' } });
    expect(answer.headers.get('allow')).toBe('GET, POST');
    expect(GET).toBe(read);
  });

  it('answer 404 in JSON where there is no route', async () => {
    expect(await send(unknownRoute, { method: 'GET' })).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });
});
