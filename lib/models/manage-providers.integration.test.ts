import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { verifies } from '#e2e/verifies.ts';
import { composeModels } from '#lib/composition/models.ts';
import { type Id, newId, toUuid } from '#lib/kernel/index.ts';
import { type ModelServer, type ModelStep, refused, startModelServer, streamed } from '#lib/testing/model-server.ts';
import { codeOf, createTenancyWorld, type TenancyWorld } from '#lib/testing/tenancy-world.ts';
import { createProviderBody, type ModelProviderView } from './contract.ts';
import { priceOf } from './index.ts';

const KEY = 'sk-test-4f9a0c77d1e2-LAST';

let world: TenancyWorld;
let acme: Awaited<ReturnType<TenancyWorld['addTenant']>>;
let other: Awaited<ReturnType<TenancyWorld['addTenant']>>;
let models: ReturnType<typeof composeModels>;
let provider: ModelServer;

beforeAll(async () => {
  world = await createTenancyWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  const stamp = newId('tenant').slice(-8);
  acme = await world.addTenant(`acme-${stamp}`);
  other = await world.addTenant(`other-${stamp}`);
  models = modelsWhere('127.0.0.1');
  provider = await startModelServer();
});
afterEach(async () => {
  provider.verify();
  await provider.close();
});

function modelsWhere(outboundAllow: string) {
  const { clock, database, unitOfWork } = world;
  return composeModels({ config: { ...world.config, outboundAllow }, clock, database, unitOfWork });
}

const bodyWith = (more: object = {}) =>
  createProviderBody.parse({ kind: 'compatible', name: 'Ours', baseUrl: provider.url, model: 'scripted', apiKey: KEY, ...more });
const create = (more: object = {}) => models.useCases.createProvider(acme.actor, bodyWith(more));
const idOf = (view: ModelProviderView) => view.id as Id<'modelProvider'>;
const storedKey = async (id: string) => {
  const [row] =
    await world.owner`select encrypted_key, key_id, key_hint from model_provider where id = ${toUuid(id as Id<'modelProvider'>)}`;
  return row;
};
const auditOf = async (prefix: string) =>
  (await world.tenancy.listAuditEvents(acme.actor, { limit: 200 })).items.filter(({ type }) => type.startsWith(prefix));

/** Lists models as a provider does. */
const listed: ModelStep = (_request, response) => void response.end('{"data":[]}');
/** A provider that repeats what it was sent, as some do. */
const echoesKey: ModelStep = (request, response) =>
  void response.writeHead(401).end(JSON.stringify({ error: { message: `wrong: ${request.headers.authorization}` } }));

describe('a provider’s key', () => {
  it('is sealed at rest, and in no view, audit row or test', async () => {
    const made = await create();
    expect(made).toMatchObject({ keyHint: 'LAST', isDefault: true });
    provider.script(listed, echoesKey);
    const tested = await models.useCases.testProvider(acme.actor, idOf(made));
    expect(tested.authenticate).toMatchObject({ ok: false, detail: expect.stringContaining('401') });
    const updated = await models.useCases.updateProvider(acme.actor, idOf(made), { name: 'Renamed' });
    const shown = JSON.stringify([made, tested, updated, await models.useCases.getModels(acme.actor)]);
    const stored = JSON.stringify([
      ...(await world.owner`select * from model_provider`),
      ...(await world.owner`select * from audit_event`),
      ...(await world.owner`select * from tenant`),
    ]);
    expect(shown).not.toContain(KEY);
    expect(stored).not.toContain(KEY);
    expect(stored).not.toContain(Buffer.from(KEY).toString('base64'));
    expect((await storedKey(made.id))?.encrypted_key).toMatch(/^[A-Za-z0-9+/]{60,}=*$/);
  });

  it('is not in the error of a call that the provider refuses by repeating it', async () => {
    await create();
    await models.useCases.setModelPolicy(acme.actor, { isEnabled: true, fallsBack: false });
    const found = await models.modelSource.find(acme.actor.scope);
    if (found.status !== 'available') throw new Error(found.code);
    provider.script(echoesKey);
    const call = found.model.call({ messages: [{ role: 'user', content: 'hi' }], signal: AbortSignal.timeout(5_000) });
    const error = await call.next().then(
      () => null,
      (thrown: unknown) => thrown,
    );
    expect(error).toMatchObject({ kind: 'unauthenticated' });
    expect(String(error)).not.toContain(KEY);
  });

  it('that is short shows none of itself', async () => {
    expect((await create({ apiKey: 'short123' })).keyHint).toBe('••••');
  });

  it('goes where it was meant to go: another address without a new key drops it', async () => {
    const made = await create();
    const same = await models.useCases.updateProvider(acme.actor, idOf(made), { baseUrl: provider.url, model: 'newer' });
    expect(same).toMatchObject({ keyHint: 'LAST', model: 'newer' });
    const moved = await models.useCases.updateProvider(acme.actor, idOf(made), { baseUrl: 'https://elsewhere.example/v1' });
    expect(moved.keyHint).toBeNull();
    expect(await storedKey(made.id)).toMatchObject({ encrypted_key: null, key_id: null, key_hint: null });
    const again = await models.useCases.updateProvider(acme.actor, idOf(made), { baseUrl: provider.url, apiKey: 'another-key-NEWS' });
    expect(again.keyHint).toBe('NEWS');
    expect((await models.useCases.updateProvider(acme.actor, idOf(made), { apiKey: null })).keyHint).toBeNull();
  });

  it('that was moved to another row does not open', async () => {
    const [first, second] = [await create(), await create({ name: 'Second', apiKey: 'second-key-SCND' })];
    await models.useCases.setModelPolicy(acme.actor, { isEnabled: true, fallsBack: true });
    const box = await storedKey(second.id);
    await world.owner`update model_provider set encrypted_key = ${box?.encrypted_key} where id = ${toUuid(idOf(first))}`;
    expect(await codeOf(models.modelSource.find(acme.actor.scope))).toBe('conflict');
  });
});

describe('providers of a workspace', () => {
  it('have names of their own, and the first is the default until another is made so', async () => {
    const [first, second] = [await create(), await create({ name: 'Second' })];
    expect([first.isDefault, second.isDefault]).toEqual([true, false]);
    expect(await codeOf(create({ name: 'Second' }))).toBe('conflict');
    expect(await codeOf(models.useCases.updateProvider(acme.actor, idOf(second), { name: 'Ours' }))).toBe('conflict');
    const chosen = await models.useCases.updateProvider(acme.actor, idOf(second), { isDefault: true });
    expect(chosen.isDefault).toBe(true);
    const { providers } = await models.useCases.getModels(acme.actor);
    expect(providers.map(({ name, isDefault }) => [name, isDefault])).toEqual([
      ['Ours', false],
      ['Second', true],
    ]);
    expect((await models.useCases.createProvider(other.actor, bodyWith())).name).toBe('Ours');
  });

  it('are asked in the order that is chosen, those that are gone no more', async () => {
    const [first, second, third] = [
      await create(),
      await create({ name: 'Second', model: 'second' }),
      await create({ name: 'Third', model: 'third' }),
    ];
    const order = (fallbacks: string[], actor = acme.actor) =>
      models.useCases.setModelPolicy(actor, { isEnabled: true, fallsBack: true, fallbacks });
    const asked = async () => {
      const found = await models.modelSource.find(acme.actor.scope);
      return found.status === 'available'
        ? [found.model, ...(found.fallbacks ?? []).map(({ model }) => model)].map(({ spec }) => spec.model)
        : [];
    };
    expect(await asked()).toEqual([]);
    await order([third.id, second.id]);
    expect(await asked()).toEqual([first.model, 'third', 'second']);
    for (const wrong of [[third.id, third.id], [newId('modelProvider')], ['x']]) expect(await codeOf(order(wrong))).toBe('invalid_request');
    expect(await codeOf(order([second.id], other.actor))).toBe('invalid_request');
    await models.useCases.updateProvider(acme.actor, idOf(third), { isDefault: true });
    expect(await asked()).toEqual(['third', 'second']);
    await models.useCases.deleteProvider(acme.actor, idOf(second));
    expect(await asked()).toEqual(['third']);
    expect((await models.useCases.getModels(acme.actor)).policy.fallbacks).toEqual([]);
  });

  it('say who set the key and since when a price counts, and change neither without cause', async () => {
    const price = { currency: 'USD', inputMicros: 1, cachedInputMicros: 1, cacheWriteMicros: 1, outputMicros: 1 };
    const made = await create({ price });
    expect(made).toMatchObject({ keySet: { at: made.updatedAt, by: expect.any(String) }, priceSetAt: made.updatedAt });
    const change = (body: object) => models.useCases.updateProvider(acme.actor, idOf(made), body);
    expect(await change({ model: 'newer', price: { ...price } })).toMatchObject({ keySet: made.keySet, priceSetAt: made.priceSetAt });
    const dearer = await change({ price: { ...price, outputMicros: 2 } });
    expect(dearer.priceSetAt).toBe(dearer.updatedAt);
    expect(dearer.keySet).toEqual(made.keySet);
    expect(await change({ apiKey: null, price: null })).toMatchObject({ keyHint: null, keySet: null, priceSetAt: null });
  });

  it('cost what counts when a call is made: a price begins at its instant', async () => {
    const price = { currency: 'USD', inputMicros: 1, cachedInputMicros: 1, cacheWriteMicros: 1, outputMicros: 1 };
    const dearer = { ...price, outputMicros: 9 };
    const made = await create({ price });
    await models.useCases.setModelPolicy(acme.actor, { isEnabled: true, fallsBack: false });
    const change = (body: object) => models.useCases.updateProvider(acme.actor, idOf(made), body);
    const at = (ms: number) => new Date(world.clock.now().getTime() + ms);
    const next = at(60_000);
    const planned = await change({ price: dearer, priceFrom: next.toISOString() });
    expect(planned).toMatchObject({ price, priceSetAt: made.priceSetAt, laterPrices: [{ from: next.toISOString(), price: dearer }] });
    const found = await models.modelSource.find(acme.actor.scope);
    if (found.status !== 'available') throw new Error(found.code);
    expect([priceOf(found, at(0)), priceOf(found, at(59_000)), priceOf(found, next), priceOf(found, at(3_600_000))]).toEqual([
      price,
      price,
      dearer,
      dearer,
    ]);
    expect(await codeOf(change({ price: dearer, priceFrom: at(-1_000).toISOString() }))).toBe('invalid_request');
    expect(await codeOf(change({ priceFrom: next.toISOString() }))).toBe('invalid_request');
    // Another for the same instant stands in its place.
    expect(await change({ price: null, priceFrom: next.toISOString() })).toMatchObject({ laterPrices: [{ price: null }] });
    world.clock.advance(61_000);
    const [then] = (await models.useCases.getModels(acme.actor)).providers;
    expect(then).toMatchObject({ price: null, priceSetAt: null, laterPrices: [] });
    expect((await auditOf('model-provider.updated')).at(-1)?.details).toMatchObject({ after: { laterPrices: [{ price: dearer }] } });
  });

  it('of the compatible kind need an address', async () => {
    expect(await codeOf(create({ baseUrl: null }))).toBe('invalid_request');
    const made = await create();
    expect(await codeOf(models.useCases.updateProvider(acme.actor, idOf(made), { baseUrl: null }))).toBe('invalid_request');
    expect((await create({ name: 'Theirs', kind: 'anthropic', baseUrl: null })).baseUrl).toBeNull();
  });

  it('are not there for another tenant', async () => {
    const made = await create();
    const before = await models.useCases.getModels(acme.actor);
    expect(await codeOf(models.useCases.updateProvider(other.actor, idOf(made), { name: 'Taken' }))).toBe('not_found');
    expect(await codeOf(models.useCases.deleteProvider(other.actor, idOf(made)))).toBe('not_found');
    expect(await codeOf(models.useCases.testProvider(other.actor, idOf(made)))).toBe('not_found');
    expect((await models.useCases.getModels(other.actor)).providers).toEqual([]);
    expect(await models.useCases.getModels(acme.actor)).toEqual(before);
    expect(provider.requests).toHaveLength(0);
  });

  it('are changed and deleted on the record', async () => {
    const made = await create({ settings: { temperature: 0.2 } });
    await models.useCases.updateProvider(acme.actor, idOf(made), { model: 'newer' });
    await models.useCases.deleteProvider(acme.actor, idOf(made));
    expect(await codeOf(models.useCases.deleteProvider(acme.actor, idOf(made)))).toBe('not_found');
    const [deleted, updated, created] = await auditOf('model-provider.');
    expect(created).toMatchObject({
      type: 'model-provider.created',
      target: { kind: 'model-provider', id: made.id, name: 'Ours' },
      details: { model: 'scripted', keyHint: 'LAST', settings: { temperature: 0.2 } },
    });
    expect(updated).toMatchObject({
      type: 'model-provider.updated',
      details: { before: { model: 'scripted' }, after: { model: 'newer' } },
    });
    expect(deleted).toMatchObject({ type: 'model-provider.deleted' });
  });
});

describe('the policy of a workspace', () => {
  verifies('P-03', 'leaves models off until someone switches them on, on the record', async () => {
    expect(await models.modelSource.find(acme.actor.scope)).toEqual({ status: 'unavailable', code: 'no-model' });
    await create();
    expect(await models.useCases.getModels(acme.actor)).toMatchObject({ policy: { isEnabled: false, fallsBack: true }, inUse: null });
    expect(await models.modelSource.find(acme.actor.scope)).toEqual({ status: 'unavailable', code: 'model-disabled' });
    await models.useCases.setModelPolicy(acme.actor, { isEnabled: true, fallsBack: false });
    expect(await models.modelSource.find(acme.actor.scope)).toMatchObject({ status: 'available', fallsBack: false });
    expect((await models.useCases.getModels(acme.actor)).inUse).toEqual({ source: 'workspace', kind: 'compatible', model: 'scripted' });
    expect(await models.modelSource.find(other.actor.scope)).toMatchObject({ status: 'unavailable' });
    expect(await models.useCases.findModelInUse(acme.actor)).toBe('scripted');
    expect(await models.useCases.findModelInUse(other.actor)).toBeNull();
    expect((await auditOf('tenant.updated'))[0]).toMatchObject({
      target: { name: 'models' },
      details: { before: { isEnabled: false }, after: { isEnabled: true } },
    });
  });
});

const testOne = async (more: object = {}, through = models) =>
  through.useCases.testProvider(acme.actor, idOf(await create({ name: newId('tenant'), ...more })));

describe('the test of a provider', () => {
  it('says that nobody listens, and tries no further', async () => {
    const gone = await startModelServer();
    await gone.close();
    const tested = await testOne({ baseUrl: gone.url });
    expect(tested).toMatchObject({ reach: { ok: false, detail: expect.stringContaining('ECONNREFUSED') }, authenticate: null, call: null });
  });

  it('does not go to a private address that the operator has not allowed', async () => {
    const tested = await testOne({}, modelsWhere(''));
    expect(tested.reach).toMatchObject({ ok: false, detail: expect.stringContaining('not a public address') });
    expect(tested).toMatchObject({ authenticate: null, call: null });
    expect(provider.requests).toHaveLength(0);
  });

  it('says that the key was refused, and makes no call', async () => {
    provider.script(refused(401, 'who are you'), refused(401, 'who are you'));
    const tested = await testOne();
    expect(tested).toMatchObject({
      reach: { ok: true },
      authenticate: { ok: false, detail: expect.stringContaining('who are you') },
      call: null,
    });
    expect(provider.requests.map(({ headers }) => headers.authorization ?? null)).toEqual([null, `Bearer ${KEY}`]);
  });

  it('says what the provider said when the small call fails', async () => {
    provider.script(listed, listed, refused(404, 'no model of that name'));
    const tested = await testOne();
    expect(tested).toMatchObject({
      reach: { ok: true },
      authenticate: { ok: true, detail: 'accepted' },
      call: { ok: false, detail: expect.stringContaining('no model of that name') },
    });
  });

  it('passes where all is well, is kept with the provider and is on the record', async () => {
    provider.script(refused(401, 'a key is needed'), listed, streamed({ text: 'ready' }));
    const made = await create();
    const tested = await models.useCases.testProvider(acme.actor, idOf(made));
    expect(tested).toMatchObject({
      url: `${provider.url}/models`,
      reach: { ok: true, detail: 'answered 401' },
      authenticate: { ok: true },
      call: { ok: true, detail: 'ready' },
    });
    expect((await models.useCases.getModels(acme.actor)).providers[0]?.lastTest).toEqual(tested);
    expect((await auditOf('model-provider.tested'))[0]?.details).toEqual({ reach: true, authenticate: true, call: true });
    expect((await models.useCases.updateProvider(acme.actor, idOf(made), { model: 'newer' })).lastTest).toBeNull();
  });
});
