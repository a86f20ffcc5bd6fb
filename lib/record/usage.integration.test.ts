import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { verifies } from '#e2e/verifies.ts';
import { newId, toUuid } from '#lib/kernel/index.ts';
import type { Actor } from '#lib/tenancy/index.ts';
import { codeOf, createTenancyWorld, type TenancyWorld } from '#lib/testing/tenancy-world.ts';
import { exportModelUsage, viewModelUsage, viewToolUsage } from './index.ts';

let world: TenancyWorld;
let acme: Awaited<ReturnType<TenancyWorld['addTenant']>>;
let other: Awaited<ReturnType<TenancyWorld['addTenant']>>;

beforeAll(async () => {
  world = await createTenancyWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  const stamp = newId('tenant').slice(-8);
  acme = await world.addTenant(`acme-${stamp}`);
  other = await world.addTenant(`other-${stamp}`);
});

interface Call {
  readonly model?: string;
  readonly path?: string;
  readonly scene?: 'answer' | 'summary';
  /** Of the five classes. */
  readonly tokens?: readonly [number, number, number, number, number];
  readonly cost?: readonly [micros: number, currency: string] | null;
  readonly isEstimated?: boolean;
  readonly at?: Date;
}

interface ToolCall {
  readonly id: string;
  readonly attempts: number;
  readonly state: 'SUCCEEDED' | 'FAILED';
  readonly tookMs: number;
}

/** A run of this person with its calls. */
async function aRun(actor: Actor, calls: readonly Call[], tools: readonly ToolCall[] = []): Promise<void> {
  const [tenant, user, session, run] = [toUuid(actor.scope.tenantId), toUuid(actor.scope.userId), newId('session'), toUuid(newId('run'))];
  await world.database.sql.begin(async (tx) => {
    await tx`select set_config('app.tenant_id', ${tenant}, true)`;
    await tx`
      insert into agent_session (tenant_id, id, user_id, preset, state, title, checkpoint_thread_id)
      values (${tenant}, ${toUuid(session)}, ${user}, 'default', 'IDLE', '', ${session})`;
    await tx`
      insert into run (tenant_id, id, session_id, user_id, message_id, preset, input, locale, time_zone, state, time_limit_ms)
      values (${tenant}, ${run}, ${toUuid(session)}, ${user}, ${toUuid(newId('message'))}, 'default', 'x', 'en', 'UTC', 'FINISH_OK', 60000)`;
    for (const [index, call] of calls.entries()) {
      const [input, cached, written, output, reasoning] = call.tokens ?? [10, 0, 0, 5, 0];
      const [micros, currency] = call.cost ?? [null, null];
      await tx`
        insert into model_call (tenant_id, run_id, path, agent_id, provider, model, scene, response, input_tokens, cached_input_tokens, cache_write_tokens, output_tokens, reasoning_tokens, is_estimated, cost_micros, currency, attempts, duration_ms, started_at)
        values (${tenant}, ${run}, ${call.path ?? `platform_supervisor/m${index}`}, 'a', 'compatible', ${call.model ?? 'm'}, ${call.scene ?? 'answer'}, '{}'::jsonb, ${input}, ${cached}, ${written}, ${output}, ${reasoning}, ${call.isEstimated ?? false}, ${micros}, ${currency}, 1, 10, ${call.at ?? new Date()})`;
    }
    for (const [index, { id, attempts, state, tookMs }] of tools.entries()) {
      const invocation = toUuid(newId('invocation'));
      const began = new Date();
      await tx`
        insert into invocation (tenant_id, id, run_id, path, step, capability_id, state, attempt, arguments, arguments_hash, idempotency_key, requested_at, finished_at)
        values (${tenant}, ${invocation}, ${run}, ${`p/${index}`}, ${index}, ${id}, ${state}, ${attempts}, '{}'::jsonb, '', '', ${began}, ${new Date(began.getTime() + tookMs)})`;
      for (let attempt = 1; attempt <= attempts; attempt += 1)
        await tx`
          insert into invocation_transition (tenant_id, invocation_id, seq, from_state, to_state, attempt, reason, at)
          values (${tenant}, ${invocation}, ${attempt}, 'ARGUMENTS_VALIDATED', 'EXECUTING', ${attempt}, '', ${new Date(began.getTime() + attempt - 1)})`;
    }
  });
}

const usage = (by: 'model' | 'scene' | 'person' | 'day', days = 30, actor = acme.actor) => viewModelUsage(world, actor, { by, days });

describe('the usage of models', () => {
  verifies('H-31', 'is summed by model, its classes apart, with what is not known told apart', async () => {
    await aRun(acme.actor, [
      { model: 'large', tokens: [86, 17_817, 0, 8, 12], cost: [900, 'USD'] },
      { model: 'large', tokens: [5, 128_955, 1_253, 20, 0], cost: [100, 'USD'], isEstimated: true },
      { model: 'large', cost: [7, 'EUR'] },
      { model: 'small' },
    ]);
    await aRun(other.actor, [{ model: 'theirs', tokens: [1_000_000, 0, 0, 0, 0] }]);
    const { items, total } = await usage('model');
    expect(items).toEqual([
      {
        key: 'compatible/large',
        name: null,
        calls: 3,
        inputTokens: 101,
        cachedInputTokens: 146_772,
        cacheWriteTokens: 1_253,
        outputTokens: 33,
        reasoningTokens: 12,
        totalTokens: 148_171,
        estimatedCalls: 1,
        unpricedCalls: 0,
        costs: [
          { currency: 'USD', micros: 1_000 },
          { currency: 'EUR', micros: 7 },
        ],
      },
      expect.objectContaining({ key: 'compatible/small', calls: 1, totalTokens: 15, unpricedCalls: 1, costs: [] }),
    ]);
    expect(total).toMatchObject({ calls: 4, totalTokens: 148_186, estimatedCalls: 1, unpricedCalls: 1 });
    expect(total.costs).toEqual(items[0]?.costs);
  });

  it('is told by purpose and by person', async () => {
    const member = await world.actorOf(acme.slug, await world.addPerson(acme.actor, 'member'));
    await aRun(acme.actor, [
      {},
      { path: 'platform_supervisor/m0/t1/echo/m0' },
      { path: 'platform_supervisor/m1/summary/m0', scene: 'summary' },
    ]);
    await aRun(member, [{ tokens: [100, 0, 0, 0, 0] }]);
    expect((await usage('scene')).items.map(({ key, calls }) => [key, calls])).toEqual([
      ['answer', 2],
      ['specialist', 1],
      ['summary', 1],
    ]);
    expect((await usage('person')).items.map(({ key, name, totalTokens }) => [key, name, totalTokens])).toEqual([
      [member.scope.userId, member.displayName, 100],
      [acme.actor.scope.userId, acme.actor.displayName, 45],
    ]);
  });

  it('is of days of the workspace’s time zone', async () => {
    await world.owner`update tenant set time_zone = 'Asia/Shanghai' where id = ${toUuid(acme.tenantId)}`;
    const { to } = await usage('day');
    // Midnight there is four in the afternoon of the day before, in UTC.
    const midnight = new Date(Date.parse(`${to}T00:00:00Z`) - 8 * 3_600_000);
    await aRun(acme.actor, [{ at: midnight }, { at: new Date(midnight.getTime() - 1) }, { at: new Date(midnight.getTime() - 86_400_001) }]);
    const yesterday = new Date(Date.parse(`${to}T00:00:00Z`) - 86_400_000).toISOString().slice(0, 10);
    expect(await usage('day', 2)).toMatchObject({ from: yesterday, to, timeZone: 'Asia/Shanghai', total: { calls: 2 } });
    expect((await usage('day', 2)).items.map(({ key, calls }) => [key, calls])).toEqual([
      [yesterday, 1],
      [to, 1],
    ]);
  });

  it('is nothing where no model was called', async () => {
    expect(await usage('model')).toMatchObject({ items: [], total: { calls: 0, totalTokens: 0, costs: [] } });
  });

  it('is a table that no spreadsheet takes for formulas', async () => {
    await aRun(acme.actor, [
      { model: '=1+1', cost: [12, 'USD'] },
      { model: '=1+1', cost: [3, 'EUR'] },
    ]);
    const { fileName, text } = await exportModelUsage(world, acme.actor, { by: 'model', days: 30 });
    expect(fileName).toMatch(/^usage-by-model-\d{4}-\d\d-\d\d-\d{4}-\d\d-\d\d\.csv$/);
    expect(text.split('\r\n')).toEqual([
      'model,name,calls,input_tokens,cached_input_tokens,cache_write_tokens,output_tokens,reasoning_tokens,total_tokens,estimated_calls,unpriced_calls,cost_micros,currency,other_costs',
      'compatible/=1+1,,2,20,0,0,10,0,30,0,0,12,USD,3 EUR',
      '',
    ]);
  });

  it('is shown to those who may see budgets, and to no others', async () => {
    const member = await world.actorOf(acme.slug, await world.addPerson(acme.actor, 'member'));
    const auditor = await world.actorOf(acme.slug, await world.addPerson(acme.actor, 'auditor'));
    expect(await codeOf(usage('model', 30, member))).toBe('permission_denied');
    expect(await codeOf(exportModelUsage(world, member, { by: 'model', days: 30 }))).toBe('permission_denied');
    expect(await codeOf(viewToolUsage(world, member, { days: 30 }))).toBe('permission_denied');
    expect((await usage('model', 30, auditor)).items).toEqual([]);
  });
});

describe('the usage of tools', () => {
  verifies('H-31', 'tells count, mean time, failures and retries of each', async () => {
    await aRun(
      acme.actor,
      [],
      [
        { id: 'weather.get', attempts: 1, state: 'SUCCEEDED', tookMs: 100 },
        { id: 'weather.get', attempts: 3, state: 'SUCCEEDED', tookMs: 300 },
        { id: 'weather.get', attempts: 2, state: 'FAILED', tookMs: 500 },
        { id: 'weather.get', attempts: 0, state: 'FAILED', tookMs: 9_000 },
        { id: 'text.echo', attempts: 0, state: 'FAILED', tookMs: 1 },
      ],
    );
    await aRun(other.actor, [], [{ id: 'theirs', attempts: 1, state: 'SUCCEEDED', tookMs: 1 }]);
    expect((await viewToolUsage(world, acme.actor, { days: 30 })).items).toEqual([
      { capabilityId: 'weather.get', calls: 4, succeeded: 2, failed: 1, refused: 1, retries: 3, averageMs: 300, longestMs: 500 },
      { capabilityId: 'text.echo', calls: 1, succeeded: 0, failed: 0, refused: 1, retries: 0, averageMs: null, longestMs: null },
    ]);
  });
});
