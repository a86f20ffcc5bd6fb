import type { ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { verifies } from '#e2e/verifies.ts';
import { type Id, newId, toUuid } from '#lib/kernel/index.ts';
import { createLanguageModel } from '#lib/models/adapters/create-language-model.ts';
import type { Price } from '#lib/models/index.ts';
import type { Actor } from '#lib/tenancy/index.ts';
import { type ModelServer, type ModelStep, refused, startModelServer, streamed } from '#lib/testing/model-server.ts';
import { createRunLab, eventually, type RunLab } from '#lib/testing/run-lab.ts';

let lab: RunLab;
let provider: ModelServer;

beforeAll(async () => {
  lab = await createRunLab({ timeLimitMs: 20_000 });
});
afterAll(() => lab.close());
beforeEach(async () => {
  provider = await startModelServer();
  useModel(null);
});
afterEach(async () => {
  provider.verify();
  await provider.close();
});

const PRICE: Price = { currency: 'USD', inputMicros: 1_000_000, cachedInputMicros: 0, cacheWriteMicros: 0, outputMicros: 1_000_000 };

function useModel(price: Price | null, fallsBack = false): void {
  const model = createLanguageModel({
    spec: { provider: 'compatible', model: 'scripted' },
    baseUrl: provider.url,
    apiKey: null,
    fetch: globalThis.fetch,
  });
  lab.useModel({ status: 'available', model, price, fallsBack });
}

interface Chat {
  readonly actor: Actor;
  readonly sessionId: Id<'session'>;
}

async function ask(text: string, given?: Chat) {
  const { actor, sessionId } = given ?? (await lab.aSession());
  const { runId } = await lab.runs.submitMessage(actor, { sessionId, text });
  const events = await lab.readAll(actor, runId);
  return { actor, sessionId, runId, events, run: await lab.runs.getRun(actor, runId) };
}

async function aBudget({ actor }: Chat, set: Record<string, string | number>): Promise<Id<'budget'>> {
  const id = newId('budget');
  const whole = { subject: 'session', measure: 'tokens', period: 'total', ...set };
  await lab.owner`insert into budget ${lab.owner({ tenant_id: toUuid(actor.scope.tenantId), id: toUuid(id), ...whole })}`;
  return id;
}

const heldOf = async (budgetId: Id<'budget'>) =>
  (await lab.owner`select path, amount::int from budget_hold where budget_id = ${toUuid(budgetId)}`).map((row) => ({ ...row }));
const usedOf = async (budgetId: Id<'budget'>) =>
  Number((await lab.owner`select coalesce(sum(used), 0)::int as used from budget_use where budget_id = ${toUuid(budgetId)}`)[0]?.used);
const using = (tokens: number, text = 'Said.'): ModelStep =>
  streamed({ text, usage: { prompt_tokens: tokens - 100, completion_tokens: 100, total_tokens: tokens } });
/** What people are to be told of, as it stands in the outbox. */
const noticesOf = async ({ actor }: Chat) =>
  (
    await lab.owner`select kind, subject_id, user_id, details from notice where tenant_id = ${toUuid(actor.scope.tenantId)} order by id`
  ).map((row) => ({ ...row }));
const systemOf = (index: number) => String(provider.requests[index]?.body.messages?.[0]?.content);
const BRIEF = 'Answer as briefly as you can';

describe('a soft limit', () => {
  verifies('H-34', 'has answers be concise once it is reached, and says so in the run', async () => {
    const chat = await lab.aSession();
    const budgetId = await aBudget(chat, { soft_limit: 1_000 });
    provider.script(using(1_200), using(300));
    const first = await ask('at length', chat);
    expect(first.events.filter(({ type }) => type === 'budget-soft-limit')).toEqual([]);
    const second = await ask('and now', chat);
    expect(second.run.state).toBe('FINISH_OK');
    expect(second.events.find(({ type }) => type === 'budget-soft-limit')?.payload).toMatchObject({
      budgetId,
      subject: 'session',
      measure: 'tokens',
      used: 1_200,
      softLimit: 1_000,
      hardLimit: null,
    });
    expect([first.run.usage?.isConcise, second.run.usage?.isConcise]).toEqual([undefined, true]);
    expect(systemOf(0)).not.toContain(BRIEF);
    expect(systemOf(1)).toContain(BRIEF);
    expect(await noticesOf(chat)).toMatchObject([{ kind: 'budget.soft-limit', subject_id: toUuid(budgetId), details: { used: 1_200 } }]);
    // No hard limit: the answer's length is the model's.
    expect(provider.requests[1]?.body).not.toHaveProperty('max_tokens');
    expect(await usedOf(budgetId)).toBe(1_500);
    expect(await heldOf(budgetId)).toEqual([]);
  });
});

describe('a hard limit', () => {
  verifies('H-34', 'refuses the next call, names itself, and stands in the record', async () => {
    const chat = await lab.aSession();
    const budgetId = await aBudget(chat, { hard_limit: 10_000 });
    provider.script(using(9_900));
    expect((await ask('first', chat)).run.state).toBe('FINISH_OK');
    const { run, runId, events } = await ask('second', chat);
    expect(run).toMatchObject({ state: 'FINISH_ERROR', path: 'llm', error: { code: 'budget_exceeded' } });
    expect(run.error?.message).toContain('this chat has used 9,900 tokens of 10,000 tokens in all');
    expect(run.error?.message).toContain('Settings > Budgets');
    expect(run.answer).toContain('this chat has used 9,900 tokens');
    expect(provider.requests).toHaveLength(1);
    // Told once a limit and period, however often a call is refused.
    await ask('third', chat);
    expect(await noticesOf(chat)).toMatchObject([
      { kind: 'budget.refused', subject_id: toUuid(budgetId), user_id: toUuid(chat.actor.scope.userId), details: { hardLimit: 10_000 } },
    ]);
    expect(events.find(({ type }) => type === 'budget-refused')?.payload).toMatchObject({
      budgetId,
      path: 'platform_supervisor/m0',
      hardLimit: 10_000,
    });
    const [refusal] =
      await lab.owner`select actor_id, target_id, payload from audit_event where run_id = ${toUuid(runId)} and type = 'budget.refused'`;
    expect(refusal).toMatchObject({ actor_id: chat.actor.scope.userId, target_id: budgetId });
    expect(JSON.parse(refusal?.payload).details).toMatchObject({ used: 9_900, hardLimit: 10_000, model: 'compatible/scripted' });
    expect(await heldOf(budgetId)).toEqual([]);
  });

  it('keeps an answer to what was reserved for it', async () => {
    const chat = await lab.aSession();
    const budgetId = await aBudget(chat, { hard_limit: 4_000 });
    const held: unknown[] = [];
    provider.script(async (request, response) => {
      held.push(...(await heldOf(budgetId)));
      return using(600)(request, response);
    });
    await ask('one', chat);
    expect(held).toEqual([{ path: 'platform_supervisor/m0', amount: 4_000 }]);
    const maxTokens = Number(provider.requests[0]?.body.max_tokens);
    expect(maxTokens).toBeGreaterThan(2_000);
    expect(maxTokens).toBeLessThan(4_000);
    expect(await usedOf(budgetId)).toBe(600);
  });

  it('holds for all calls of a turn, one after the other', async () => {
    const chat = await lab.aSession();
    // For the prompt and one longest answer at a time.
    const budgetId = await aBudget(chat, { hard_limit: 14_000 });
    const looking = { id: 'c1', name: 'test_effect-read', arguments: '{"label":"x"}' };
    provider.script(streamed({ calls: [looking] }), streamed({ calls: [looking] }), streamed({ text: 'Done.' }));
    expect((await ask('look twice', chat)).run).toMatchObject({ state: 'FINISH_OK', answer: 'Done.' });
    expect(await usedOf(budgetId)).toBe(45);
    expect(await heldOf(budgetId)).toEqual([]);
  });

  it('is not got around by the planner that stands in for a model', async () => {
    const chat = await lab.aSession();
    await aBudget(chat, { hard_limit: 1 });
    useModel(null, true);
    expect((await ask('test.effect-keyed around', chat)).run).toMatchObject({ state: 'FINISH_ERROR', error: { code: 'budget_exceeded' } });
    expect(lab.effects.of('around')).toEqual([]);
  });

  it('counts money at the model’s price, and refuses a model without one', async () => {
    const chat = await lab.aSession();
    const budgetId = await aBudget(chat, { subject: 'tenant', measure: 'money', currency: 'USD', period: 'month', hard_limit: 50_000 });
    useModel(PRICE);
    provider.script(using(700));
    await ask('paid', chat);
    expect(await usedOf(budgetId)).toBe(700);
    for (const price of [null, { ...PRICE, currency: 'EUR' }]) {
      useModel(price);
      const { run } = await ask('unpriced', chat);
      expect(run).toMatchObject({ state: 'FINISH_ERROR', error: { code: 'budget_exceeded' } });
      expect(run.error?.message).toContain('no price in USD for scripted');
    }
  });

  it('of one person does not hold for another', async () => {
    const ada = await lab.aSession();
    const bob = await lab.aColleague(ada.actor);
    const bobs = { actor: bob, sessionId: (await lab.aSession('default', bob)).sessionId };
    await aBudget(ada, { subject: 'user', hard_limit: 9_000 });
    provider.script(using(8_950), using(10));
    await ask('a lot', ada);
    expect((await ask('more', ada)).run.error?.code).toBe('budget_exceeded');
    expect((await ask('a little', bobs)).run.state).toBe('FINISH_OK');
  });
});

describe('what a call holds', () => {
  it('is given back when the provider fails for good', async () => {
    const chat = await lab.aSession();
    const budgetId = await aBudget(chat, { hard_limit: 20_000 });
    provider.script(refused(400, 'no'));
    expect((await ask('fails', chat)).run.error?.code).toBe('model_failed');
    expect(await heldOf(budgetId)).toEqual([]);
    expect(await usedOf(budgetId)).toBe(0);
  });

  it('is held once when another process takes the run on, and given back with its answer', async () => {
    const chat = await lab.aSession();
    const budgetId = await aBudget(chat, { hard_limit: 20_000 });
    const released = Promise.withResolvers<void>();
    provider.script(async (request, response) => {
      await released.promise;
      return using(500)(request, response);
    }, using(500));
    const { runId } = await lab.runs.submitMessage(chat.actor, { sessionId: chat.sessionId, text: 'cut off' });
    const [before] = await eventually(async () => {
      const held = await heldOf(budgetId);
      return held.length > 0 && provider.requests.length > 0 && held;
    });
    await lab.cutOff(runId);
    released.resolve();
    await lab.readAll(chat.actor, runId);
    expect(before).toMatchObject({ path: 'platform_supervisor/m0' });
    expect((await lab.runs.getRun(chat.actor, runId)).state).toBe('FINISH_OK');
    expect(await heldOf(budgetId)).toEqual([]);
    // What the lost process was told was never on record.
    expect(await usedOf(budgetId)).toBe(500);
  }, 30_000);

  it('is given back when the run is ended without its process', async () => {
    const chat = await lab.aSession();
    const budgetId = await aBudget(chat, { hard_limit: 20_000 });
    const opened: ServerResponse[] = [];
    provider.script((_request, response) => {
      opened.push(response);
    });
    const { runId } = await lab.runs.submitMessage(chat.actor, { sessionId: chat.sessionId, text: 'lost' });
    await eventually(() => provider.requests.length > 0);
    expect(await heldOf(budgetId)).toHaveLength(1);
    await lab.cutOff(runId);
    await lab.owner`update dbos.workflow_status set status = 'MAX_RECOVERY_ATTEMPTS_EXCEEDED' where workflow_uuid = ${`${runId}:1`}`;
    await lab.readAll(chat.actor, runId);
    expect((await lab.runs.getRun(chat.actor, runId)).error?.message).toContain('too often');
    expect(await heldOf(budgetId)).toEqual([]);
    for (const response of opened) response.destroy();
  }, 30_000);
});
