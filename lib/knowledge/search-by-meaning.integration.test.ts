import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createEmbeddingQueue } from '#db/embedding-queue.ts';
import { migrate } from '#db/migrate.ts';
import { verifies } from '#e2e/verifies.ts';
import { composeKnowledge } from '#lib/composition/knowledge.ts';
import { composeModels } from '#lib/composition/models.ts';
import { type Id, newId, toUuid } from '#lib/kernel/index.ts';
import { createBudgetBody } from '#lib/models/contract.ts';
import type { Actor } from '#lib/tenancy/index.ts';
import { embedded, textsOf } from '#lib/testing/embedding-steps.ts';
import { type ModelServer, type ModelStep, refused, startModelServer } from '#lib/testing/model-server.ts';
import { codeOf, createTenancyWorld, type TenancyWorld } from '#lib/testing/tenancy-world.ts';
import { createInProcess, createOnServer } from '#lib/testing/vector-database.ts';
import { type EmbedDependencies, embedDocuments } from './index.ts';

const serverUrl = process.env.TEST_PGVECTOR_URL;
const DATABASES = [
  ['PGlite', createInProcess],
  ...(serverUrl ? ([['the server of TEST_PGVECTOR_URL', () => createOnServer(serverUrl)]] as const) : []),
] as const;
if (!serverUrl) process.stderr.write('TEST_PGVECTOR_URL is not set: searches by meaning are tested on PGlite alone.\n');

describe.each(DATABASES)('documents searched by meaning on %s', (_name, createDatabase) => {
  let world: TenancyWorld;
  let server: ModelServer;
  let answer: ModelStep;
  let models: ReturnType<typeof composeModels>;
  let knowledge: ReturnType<typeof composeKnowledge>;
  let slug: string;
  let ada: Actor;
  let stranger: Actor;
  let providerId: Id<'modelProvider'>;

  beforeAll(async () => {
    const database = await createDatabase();
    await migrate({ databaseUrl: database.databaseUrl });
    world = await createTenancyWorld({ OUTBOUND_ALLOW: '127.0.0.1' }, database);
    server = await startModelServer(() => answer);
  }, 120_000);
  afterAll(async () => {
    await server.close();
    await world.close();
  });
  beforeEach(async () => {
    answer = embedded();
    models = composeModels(world);
    knowledge = composeKnowledge({ ...world, fetch: models.guardedFetch, openEmbedding: models.openEmbedding });
    const stamp = newId('tenant').slice(-8);
    slug = `acme-${stamp}`;
    ada = (await world.addTenant(slug)).actor;
    stranger = (await world.addTenant(`other-${stamp}`)).actor;
    providerId = await addProvider(ada);
  }, 60_000);

  const addProvider = async (actor: Actor) => {
    const body = {
      kind: 'compatible',
      name: 'Ours',
      baseUrl: server.url,
      model: 'chat',
      apiKey: 'sk-secret',
      settings: {},
      price: null,
    } as const;
    return (await models.useCases.createProvider(actor, body)).id as Id<'modelProvider'>;
  };
  const choose = (actor: Actor, more: object = {}) =>
    knowledge.useCases.chooseEmbeddingModel(actor, { providerId, model: 'small', price: null, ...more });
  const save = (actor: Actor, title: string, body: string) =>
    knowledge.useCases.saveDocument(actor, { id: null, expectedVersion: null, title, language: 'en', body });
  const look = (actor = ada) => knowledge.useCases.getDocumentSearch(actor);
  const search = async (query: string, actor = ada) => {
    let isMeaningMissed = false;
    const onMeaningMissed = () => {
      isMeaningMissed = true;
    };
    const passages = await knowledge.passages.search({ scope: actor.scope, query, limit: 3, onMeaningMissed });
    return { titles: passages.map(({ title }) => title), isMeaningMissed, passages };
  };
  /** What a worker does about what is due of these tenants, until nothing is. */
  const work = async (...actors: Actor[]) => {
    const deps: EmbedDependencies = {
      ...world,
      openModel: models.openEmbedding,
      pauseMs: 0,
      random: () => 0,
      signal: new AbortController().signal,
    };
    const queue = createEmbeddingQueue(world.owner);
    const due = await queue.listDue(world.clock.now(), 50);
    for (const one of due) if (actors.some(({ scope }) => scope.tenantId === one.tenantId)) await embedDocuments(deps, one);
    return due.length;
  };
  const library = async (actor: Actor) => {
    await save(actor, 'Library', 'An overdue book costs a coin.');
    await save(actor, 'Zoo', 'The canine house opens at nine.');
    await save(actor, 'Coast', 'Nothing but marine air.');
  };
  const usage = async () =>
    (await world.unitOfWork.within(ada.scope, ({ usage: reader }) => reader.readModels({ by: 'scene', days: 1 }))).items;

  verifies('H-29', 'finds what says the same in other words, in its own tenant alone, and says what serves', async () => {
    await library(ada);
    await save(stranger, 'Kennel', 'A hound sleeps here.');
    expect(await look()).toMatchObject({ serving: 'words', reason: 'no-model', extension: 'ready' });
    expect((await search('where is the dog')).titles).toEqual([]);
    expect(await choose(ada)).toMatchObject({ serving: 'words', reason: 'building', builds: { embedded: 0, passages: 3 } });
    expect((await search('where is the dog')).titles).toEqual([]);
    await work(ada);
    expect(await look()).toMatchObject({
      serving: 'meaning',
      reason: 'serving',
      builds: null,
      serves: { model: 'small', dimensions: 16, embedded: 3, passages: 3, problem: null },
    });
    expect((await search('where is the dog')).titles).toEqual(['Zoo']);
    // What has the words and the meaning goes before what has one of both.
    expect((await search('a tardy book')).titles[0]).toBe('Library');
    expect((await search('where is the dog', stranger)).titles).toEqual([]);
    expect(await look(stranger)).toMatchObject({ serving: 'words', reason: 'no-model', serves: null });
    const [sent] = server.requests.filter(({ path }) => path === '/v1/embeddings');
    expect(sent?.headers.authorization).toBe('Bearer sk-secret');
    await knowledge.useCases.removeEmbeddingModel(ada);
    expect(await look()).toMatchObject({ serving: 'words', reason: 'no-model' });
    expect(await world.owner`select 1 from knowledge_embedding where tenant_id = ${toUuid(ada.scope.tenantId)}`).toHaveLength(0);
    expect((await search('where is the dog')).titles).toEqual([]);
  });

  verifies('H-29', 'keeps the model that serves until the next has all passages, and goes on where it was stopped', async () => {
    await save(ada, 'Long', Array.from({ length: 70 }, (_, n) => `## Part ${n}\n\nNothing of note, part ${n}.`).join('\n\n'));
    await choose(ada);
    await work(ada);
    const before = server.requests.length;
    let calls = 0;
    answer = (request, response) =>
      ++calls === 2 ? refused(503, 'busy')(request, response) : embedded({ dimensions: 24 })(request, response);
    await choose(ada, { model: 'large' });
    await work(ada);
    expect(await look()).toMatchObject({
      serving: 'meaning',
      serves: { model: 'small', dimensions: 16, embedded: 70 },
      builds: { model: 'large', dimensions: 24, embedded: 32, passages: 70, problem: { message: expect.stringContaining('busy') } },
    });
    answer = embedded({ dimensions: 24 });
    // Not before it is time to try again.
    await work(ada);
    expect((await look()).builds?.embedded).toBe(32);
    world.clock.advance(60_000);
    await work(ada);
    expect(await look()).toMatchObject({ serving: 'meaning', serves: { model: 'large', embedded: 70 }, builds: null });
    const sent = server.requests
      .slice(before)
      .map(textsOf)
      .map(({ length }) => length);
    // What was answered before the failure is not asked for again.
    expect(sent).toEqual([32, 32, 32, 6]);
    await save(ada, 'Zoo', 'The canine house opens at nine.');
    expect((await look()).serves).toMatchObject({ embedded: 70, passages: 71 });
    await work(ada);
    expect((await look()).serves).toMatchObject({ embedded: 71, passages: 71 });
    expect(await work(ada)).toBe(0);
  });

  verifies('H-29', 'searches by words while the model fails, says so, and asks it again later', async () => {
    await library(ada);
    await choose(ada);
    await work(ada);
    answer = refused(500, 'out of order');
    const failed = await search('overdue book, says the dog');
    expect(failed).toMatchObject({ titles: ['Library'], isMeaningMissed: true });
    expect(await look()).toMatchObject({
      serving: 'words',
      reason: 'failing',
      serves: { problem: { message: expect.stringContaining('out of order') } },
    });
    const asked = server.requests.length;
    expect((await search('the dog')).isMeaningMissed).toBe(true);
    expect(server.requests.length).toBe(asked);
    answer = embedded();
    world.clock.advance(31_000);
    expect(await search('the dog')).toMatchObject({ titles: ['Zoo'], isMeaningMissed: false });
    expect(await look()).toMatchObject({ serving: 'meaning', serves: { problem: null } });
  });

  it('embeds all anew when the model answers in another length than it did', async () => {
    await library(ada);
    await choose(ada);
    await work(ada);
    answer = embedded({ dimensions: 24 });
    expect(await search('an overdue dog')).toMatchObject({ titles: ['Library'], isMeaningMissed: true });
    expect(await look()).toMatchObject({ builds: { model: 'small', embedded: 0 }, serves: { dimensions: 16 } });
    await work(ada);
    expect(await look()).toMatchObject({ serving: 'meaning', builds: null, serves: { dimensions: 24, embedded: 3 } });
    world.clock.advance(31_000);
    expect((await search('the dog')).titles).toEqual(['Zoo']);
  });

  it('is no worse than words for a text in which the provider answers nonsense', async () => {
    await library(ada);
    await choose(ada);
    answer = (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ data: [{ embedding: [1, 2] }], usage: { prompt_tokens: 1 } }));
    };
    await work(ada);
    expect(await look()).toMatchObject({ builds: { embedded: 0, problem: { message: expect.stringContaining('vectors') } } });
  });

  verifies(['H-29', 'H-31', 'H-34'], 'counts each call by purpose and cost, on the record, within the budgets', async () => {
    await library(ada);
    const tried = { providerId, model: 'small', price: { currency: 'USD', inputMicros: 20_000 } };
    expect(await knowledge.useCases.testEmbeddingModel(ada, tried)).toMatchObject({ ok: true, detail: null, dimensions: 16 });
    const budget = createBudgetBody.parse({ subject: 'tenant', measure: 'tokens', period: 'month', hardLimit: 60 });
    await models.useCases.createBudget(ada, budget);
    await choose(ada, { price: tried.price });
    await work(ada);
    expect(await search('the dog')).toMatchObject({ isMeaningMissed: false });
    const [counted] = await usage();
    // A test, a batch of three passages and a query: seven tokens each, by the provider's count.
    expect(counted).toMatchObject({ key: 'embedding', calls: 3, inputTokens: 35, estimatedCalls: 0, unpricedCalls: 0 });
    expect((await models.useCases.listBudgets(ada)).items[0]?.uses[0]?.used).toBe(35);
    expect((await search('the dog sleeps by the sea '.repeat(10))).isMeaningMissed).toBe(true);
    expect((await look()).serves?.problem?.message).toMatch(/budget exceeded: this workspace/);
    const audit = (await world.tenancy.listAuditEvents(ada, { limit: 20 })).items;
    const of = (type: string) => audit.filter((item) => item.type === type);
    expect(of('budget.refused')).toHaveLength(1);
    expect(of('model.called').map(({ details }) => (details as { purpose: string }).purpose)).toEqual(['query', 'index', 'test']);
    expect(of('embedding-model.chosen')).toHaveLength(1);
    expect(of('embedding-model.tested')).toHaveLength(1);
    expect(
      await world.owner`select 1 from embedding_call where tenant_id = ${toUuid(ada.scope.tenantId)} and outcome = 'open'`,
    ).toHaveLength(0);
  });

  it('is set by who may manage models, with a provider of the workspace that has embeddings', async () => {
    const member = await world.actorOf(slug, await world.addPerson(ada, 'member'));
    const body = { providerId, model: 'small', price: null };
    const { chooseEmbeddingModel, removeEmbeddingModel, testEmbeddingModel } = knowledge.useCases;
    for (const refusal of [chooseEmbeddingModel(member, body), testEmbeddingModel(member, body), removeEmbeddingModel(member)]) {
      expect(await codeOf(refusal)).toBe('permission_denied');
    }
    expect(await codeOf(chooseEmbeddingModel(stranger, body))).toBe('invalid_request');
    expect(await codeOf(testEmbeddingModel(stranger, body))).toBe('invalid_request');
    const other = { kind: 'anthropic', name: 'Theirs', baseUrl: null, model: 'm', apiKey: 'k', settings: {}, price: null } as const;
    const anthropic = (await models.useCases.createProvider(ada, other)).id;
    expect(await codeOf(choose(ada, { providerId: anthropic }))).toBe('invalid_request');
    expect((await look(member)).serving).toBe('words');
  });
});
