import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { composeModels } from '#lib/composition/models.ts';
import { type Id, newId, toUuid } from '#lib/kernel/index.ts';
import type { Actor } from '#lib/tenancy/index.ts';
import { codeOf, createTenancyWorld, type TenancyWorld } from '#lib/testing/tenancy-world.ts';
import { type BudgetView, createBudgetBody } from './contract.ts';

let world: TenancyWorld;
let acme: Awaited<ReturnType<TenancyWorld['addTenant']>>;
let other: Awaited<ReturnType<TenancyWorld['addTenant']>>;
let budgets: ReturnType<typeof composeModels>['useCases'];

beforeAll(async () => {
  world = await createTenancyWorld();
  const { config, clock, database, unitOfWork } = world;
  budgets = composeModels({ config, clock, database, unitOfWork }).useCases;
});
afterAll(() => world.close());
beforeEach(async () => {
  const stamp = newId('tenant').slice(-8);
  acme = await world.addTenant(`acme-${stamp}`);
  other = await world.addTenant(`other-${stamp}`);
});

const bodyWith = (more: object = {}) =>
  createBudgetBody.parse({ subject: 'tenant', measure: 'tokens', period: 'month', hardLimit: 1_000, ...more });
const create = (more: object = {}, actor = acme.actor) => budgets.createBudget(actor, bodyWith(more));
const idOf = ({ id }: BudgetView) => id as Id<'budget'>;
const list = async (actor = acme.actor) => (await budgets.listBudgets(actor)).items;
const auditOf = async (type: string) =>
  (await world.tenancy.listAuditEvents(acme.actor, { limit: 200 })).items.filter((item) => item.type === type);
const usesOf = async (more: object) => (await create(more)).uses.map(({ name, used }) => [name, used]);
const lacking = (actor: Actor, ...permissions: string[]): Actor => ({
  ...actor,
  permissions: new Set([...actor.permissions].filter((permission) => !permissions.includes(permission))),
});

/** A chat of the owner's in which models have used so many tokens. */
async function aChat({ actor, tenantId }: typeof acme, used: readonly { tokens: number; micros: number | null; at?: string }[] = []) {
  const [sessionId, runId] = [newId('session'), newId('run')];
  const [tenant, user] = [toUuid(tenantId), toUuid(actor.scope.userId)];
  await world.database.sql.begin(async (tx) => {
    await tx`select set_config('app.tenant_id', ${tenant}, true)`;
    await tx`
      insert into agent_session (tenant_id, id, user_id, preset, state, title, checkpoint_thread_id)
      values (${tenant}, ${toUuid(sessionId)}, ${user}, 'default', 'IDLE', 'A chat', ${sessionId})`;
    await tx`
      insert into run (tenant_id, id, session_id, user_id, message_id, preset, input, locale, time_zone, state, time_limit_ms)
      values (${tenant}, ${toUuid(runId)}, ${toUuid(sessionId)}, ${user}, ${toUuid(newId('message'))}, 'default', 'x', 'en', 'UTC', 'FINISH_OK', 60000)`;
    for (const [index, { tokens, micros, at }] of used.entries())
      await tx`
        insert into model_call (tenant_id, run_id, path, agent_id, provider, model, response, input_tokens, cached_input_tokens, cache_write_tokens, output_tokens, reasoning_tokens, is_estimated, cost_micros, currency, attempts, duration_ms, started_at)
        values (${tenant}, ${toUuid(runId)}, ${`a/m${index}`}, 'a', 'p', 'm', '{}'::jsonb, ${tokens - 4}, 1, 1, 1, 1, false, ${micros}, ${micros === null ? null : 'USD'}, 1, 10, ${at ?? new Date().toISOString()})`;
  });
  return sessionId;
}

describe('a budget', () => {
  it('is set, changed and removed on the record, with what was before', async () => {
    const made = await create({ softLimit: 800 });
    expect(made).toMatchObject({ subject: 'tenant', person: null, softLimit: 800, hardLimit: 1_000, currency: null, uses: [] });
    expect(made.endsAt).toMatch(/-01T00:00:00.000Z$/);
    const changed = await budgets.setBudgetLimits(acme.actor, idOf(made), { softLimit: null, hardLimit: 5_000 });
    expect(changed).toMatchObject({ id: made.id, softLimit: null, hardLimit: 5_000, updatedBy: acme.actor.displayName });
    await budgets.deleteBudget(acme.actor, idOf(made));
    expect(await list()).toEqual([]);
    expect((await auditOf('budget.created'))[0]).toMatchObject({ target: { kind: 'budget', id: made.id }, details: { hardLimit: 1_000 } });
    expect((await auditOf('budget.updated'))[0]?.details).toMatchObject({
      before: { softLimit: 800, hardLimit: 1_000 },
      after: { softLimit: null, hardLimit: 5_000 },
    });
    expect((await auditOf('budget.deleted'))[0]?.details).toMatchObject({ hardLimit: 5_000 });
  });

  it('stands once for the same', async () => {
    await create();
    expect(await codeOf(create({ hardLimit: 5 }))).toBe('conflict');
    await create({ period: 'day' });
    await create({ measure: 'money', currency: 'USD' });
    await create({ measure: 'money', currency: 'EUR' });
    await create({ subject: 'user' });
    await create({ subject: 'user', userId: acme.owner.userId });
    expect(await codeOf(create({ subject: 'user', userId: acme.owner.userId }))).toBe('conflict');
    expect((await list()).map(({ subject, person }) => [subject, person?.name ?? null])).toEqual([
      ['tenant', null],
      ['tenant', null],
      ['tenant', null],
      ['tenant', null],
      ['user', null],
      ['user', acme.actor.displayName],
    ]);
  });

  it('is refused where it makes no sense, when set and when changed', async () => {
    expect(await codeOf(create({ hardLimit: null }))).toBe('invalid_request');
    const made = await create();
    expect(await codeOf(budgets.setBudgetLimits(acme.actor, idOf(made), { softLimit: 2_000, hardLimit: 1_000 }))).toBe('invalid_request');
    expect((await list())[0]).toMatchObject({ softLimit: null, hardLimit: 1_000 });
  });

  it('is for a member: for others there is nobody', async () => {
    expect(await codeOf(create({ subject: 'user', userId: other.owner.userId }))).toBe('not_found');
    expect(await codeOf(create({ subject: 'user', userId: newId('user') }))).toBe('not_found');
    expect(await codeOf(create({ subject: 'user', userId: 'nobody' }))).toBe('not_found');
  });

  it('of another workspace is not there', async () => {
    const made = await create();
    expect(await list(other.actor)).toEqual([]);
    expect(await codeOf(budgets.setBudgetLimits(other.actor, idOf(made), { softLimit: null, hardLimit: 1 }))).toBe('not_found');
    expect(await codeOf(budgets.deleteBudget(other.actor, idOf(made)))).toBe('not_found');
    expect(await list()).toHaveLength(1);
  });

  it('is read with one right and set with another', async () => {
    const made = await create();
    const reader = lacking(acme.actor, 'budget:manage');
    expect(await list(reader)).toHaveLength(1);
    expect(await codeOf(create({ period: 'day' }, reader))).toBe('permission_denied');
    expect(await codeOf(budgets.setBudgetLimits(reader, idOf(made), { softLimit: null, hardLimit: 1 }))).toBe('permission_denied');
    expect(await codeOf(budgets.deleteBudget(reader, idOf(made)))).toBe('permission_denied');
    expect(await codeOf(list(lacking(acme.actor, 'budget:read')))).toBe('permission_denied');
  });

  it('counts what was used in its period before it was set', async () => {
    await aChat(acme, [
      { tokens: 300, micros: 70 },
      { tokens: 50, micros: null },
      { tokens: 9_000, micros: 9_000, at: '2020-01-01T00:00:00Z' },
    ]);
    await aChat(other, [{ tokens: 7, micros: 7 }]);
    expect(await usesOf({})).toEqual([[null, 350]]);
    expect(await usesOf({ period: 'total' })).toEqual([[null, 9_350]]);
    expect(await usesOf({ measure: 'money', currency: 'USD' })).toEqual([[null, 70]]);
    expect(await usesOf({ measure: 'money', currency: 'EUR' })).toEqual([[null, 0]]);
    expect(await usesOf({ subject: 'user' })).toEqual([[acme.actor.displayName, 350]]);
    expect(await usesOf({ subject: 'session' })).toEqual([['A chat', 350]]);
  });
});

describe('the budgets of a chat', () => {
  it('are shown to its person, as far as they concern them', async () => {
    const sessionId = await aChat(acme, [{ tokens: 300, micros: null }]);
    const colleague = await world.addPerson(acme.actor, 'member');
    await create();
    await create({ subject: 'session' });
    await create({ subject: 'user', userId: colleague.userId });
    // No right to see budgets is needed for one's own chat.
    const member = lacking(acme.actor, 'budget:read', 'budget:manage');
    const { items } = await budgets.listSessionBudgets(member, sessionId);
    expect(items.map(({ subject, uses }) => [subject, uses.map(({ used }) => used)])).toEqual([
      ['tenant', [300]],
      ['session', [300]],
    ]);
    const another = await world.actorOf(acme.slug, colleague);
    expect(await codeOf(budgets.listSessionBudgets(another, sessionId))).toBe('session_not_found');
    expect(await codeOf(budgets.listSessionBudgets(other.actor, sessionId))).toBe('session_not_found');
  });
});
