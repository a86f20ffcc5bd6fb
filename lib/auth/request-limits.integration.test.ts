import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRequestCountStore } from '#db/stores/request-count-store.ts';
import { accountRoute, defineRoute } from '#lib/http/index.ts';
import { metrics } from '#lib/telemetry/index.ts';
import { createTenancyWorld, type TenancyWorld } from '#lib/testing/tenancy-world.ts';

let world: TenancyWorld;
let acme: Awaited<ReturnType<TenancyWorld['addTenant']>>;

beforeAll(async () => {
  world = await createTenancyWorld({ REQUESTS_PER_USER: '4', REQUESTS_PER_KEY: '3', REQUESTS_PER_TENANT: '9' });
  acme = await world.addTenant('acme');
});
afterAll(() => world.close());

const keyOf = async (actor: typeof acme.actor) => (await world.tenancy.createApiKey(actor, { name: 'k', scopes: ['tenant:read'] })).key;
const route = defineRoute({ permission: 'tenant:read', handle: async () => ({ ok: true }) });
const forbidden = defineRoute({ permission: 'tenant:delete', handle: async () => ({ ok: true }) });
const send = (handler: typeof route, key: string, tenant = 'acme') =>
  handler(new Request(`http://127.0.0.1:3000/api/t/${tenant}/x`, { headers: { authorization: `Bearer ${key}` } }), {
    params: Promise.resolve({ tenant }),
  });

describe('the API', () => {
  it('answers 429 with the time to wait, in the header and in the error, and counts it', async () => {
    const key = await keyOf(acme.actor);
    // A refusal for want of a permission counts too: it has been looked into.
    expect((await send(forbidden, key)).status).toBe(403);
    expect([(await send(route, key)).status, (await send(route, key)).status]).toEqual([200, 200]);
    const answer = await send(route, key);
    expect(answer.status).toBe(429);
    const body = (await answer.json()) as { details: { retryAfterSeconds: number } };
    expect(body).toMatchObject({
      code: 'rate_limited',
      message: expect.stringMatching(/^This API key has made 3 requests within a minute\. Try again in \d+ seconds\.$/),
      details: { scope: 'key', limitPerMinute: 3 },
      traceId: answer.headers.get('x-trace-id'),
    });
    expect(answer.headers.get('retry-after')).toBe(String(body.details.retryAfterSeconds));
    expect(await metrics.registry.getSingleMetricAsString('bailiwick_rate_limited_total')).toContain('{scope="key"} 1');
  });

  it('holds a tenant’s people together, and nobody else', async () => {
    const keys = [await keyOf(acme.actor), await keyOf(acme.actor), await keyOf(acme.actor)];
    const statuses: number[] = [];
    for (const key of keys) for (let time = 0; time < 3; time += 1) statuses.push((await send(route, key)).status);
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(0);
    const other = await world.addTenant('other');
    expect((await send(route, await keyOf(other.actor), 'other')).status).toBe(200);
  });

  it('counts nothing for whoever is not known', async () => {
    for (let time = 0; time < 20; time += 1) expect((await send(route, 'bw_nonsense')).status).toBe(401);
    const account = accountRoute({ handle: async () => ({ ok: true }) });
    const answer = await account(new Request('http://127.0.0.1:3000/api/account'), { params: Promise.resolve({}) });
    expect(answer.status).toBe(401);
  });
});

describe('createRequestCountStore', () => {
  it('adds what several processes counted, at once and in any order', async () => {
    const [one, two] = [createRequestCountStore(world.database.sql), createRequestCountStore(world.database.sql)];
    const counts = Array.from({ length: 50 }, (_, index) => ({ key: `user:usr_${index}`, window: 7, count: 1 }));
    const rounds = Array.from({ length: 10 }, () => [one.add(counts), two.add(counts.toReversed())]);
    await Promise.all(rounds.flat());
    const found = await one.add(counts);
    expect(new Set(found.map(({ count }) => count))).toEqual(new Set([21]));
    expect(found.map(({ key, window }) => `${window} ${key}`).sort()).toEqual(counts.map(({ key }) => `7 ${key}`).sort());
  });

  it('is what the limiter settles with', async () => {
    await world.tenancy.requestLimiter.settle();
    const rows = await world.owner`select key, points from rate_limit where key like 'requests:%:tenant:%'`;
    expect(rows.length).toBeGreaterThan(0);
    expect(await world.owner`select 1 from rate_limit where key like 'requests:%' and expire is null`).toHaveLength(0);
  });
});
