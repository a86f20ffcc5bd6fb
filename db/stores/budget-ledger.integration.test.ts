import type { Sql } from 'postgres';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { verifies } from '#e2e/verifies.ts';
import { type Clock, type Id, newId, systemClock, toUuid } from '#lib/kernel/index.ts';
import type { BudgetClaim, ReservationRequest } from '#lib/models/index.ts';
import { endBoundary } from '#lib/supervisor/domain/ending.ts';
import type { Boundary, PricedModelCall } from '#lib/supervisor/index.ts';
import { createTestDatabase, type TestDatabase } from '#lib/testing/database.ts';
import { openSql } from '../client.ts';
import { createBudgetLedger } from './budget-ledger.ts';
import { createRunEventBus } from './run-event-bus.ts';
import { createRunJournal } from './run-journal.ts';

let testDatabase: TestDatabase;
let app: Sql;
let owner: Sql;
let journal: ReturnType<typeof createRunJournal>;
let now = new Date();
const clock: Clock = { now: () => now };
let ledger: ReturnType<typeof createBudgetLedger>;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  const { databaseUrl } = testDatabase;
  app = openSql({ databaseUrl, role: 'bailiwick_app', max: 8, name: 'test' });
  owner = openSql({ databaseUrl, role: 'owner', max: 2, name: 'test' });
  journal = createRunJournal({ sql: app, clock: systemClock, bus: createRunEventBus(app) });
  ledger = createBudgetLedger({ sql: app, clock });
});
afterAll(async () => {
  await Promise.all([app.end(), owner.end()]);
  await testDatabase.drop();
});
beforeEach(() => {
  now = new Date('2026-11-30T12:00:00Z');
});

interface Person {
  readonly scope: { readonly tenantId: Id<'tenant'>; readonly userId: Id<'user'> };
  readonly sessionId: Id<'session'>;
}

async function aPerson(timeZone = 'UTC', tenantId = newId('tenant')): Promise<Person> {
  const [userId, sessionId] = [newId('user'), newId('session')];
  await owner`insert into tenant (id, slug, name, time_zone) values (${toUuid(tenantId)}, ${tenantId.slice(-20)}, 'T', ${timeZone}) on conflict do nothing`;
  await owner`insert into app_user (id, email, name) values (${toUuid(userId)}, ${`${userId}@example.com`}, 'Ada')`;
  await owner`
    insert into agent_session (tenant_id, id, user_id, preset, state, title, checkpoint_thread_id)
    values (${toUuid(tenantId)}, ${toUuid(sessionId)}, ${toUuid(userId)}, 'default', 'EXECUTING', '', ${sessionId})`;
  return { scope: { tenantId, userId }, sessionId };
}

/** Runs that are being driven. */
async function runsOf({ scope, sessionId }: Person, count: number): Promise<Id<'run'>[]> {
  const ids = Array.from({ length: count }, () => newId('run'));
  const rows = ids.map((id) => ({
    tenant_id: toUuid(scope.tenantId),
    id: toUuid(id),
    session_id: toUuid(sessionId),
    user_id: toUuid(scope.userId),
    message_id: toUuid(newId('message')),
    preset: 'default',
    input: 'x',
    locale: 'en',
    time_zone: 'UTC',
    state: 'RUNNING',
    epoch: 1,
    time_limit_ms: 60_000,
  }));
  for (let start = 0; start < rows.length; start += 500) await owner`insert into run ${owner(rows.slice(start, start + 500))}`;
  return ids;
}

async function aBudget(person: Person, more: Record<string, string | number | null> = {}): Promise<Id<'budget'>> {
  const id = newId('budget');
  const set = { subject: 'tenant', measure: 'tokens', period: 'month', hard_limit: 1_000, ...more };
  await owner`insert into budget ${owner({ tenant_id: toUuid(person.scope.tenantId), id: toUuid(id), ...set })}`;
  return id;
}

const claim = (budgetId: Id<'budget'>, wants = 100, needs = wants): BudgetClaim => ({ budgetId, needs, wants });
const reserve = (person: Person, runId: Id<'run'>, claims: readonly BudgetClaim[], more: Partial<ReservationRequest> = {}) =>
  ledger.reserve({ ...person, runId, epoch: 1, path: 'a/m0', claims, ...more });
const keyOf = ({ scope, sessionId }: Person, runId: Id<'run'>, epoch = 1) => ({ tenantId: scope.tenantId, sessionId, runId, epoch });
const standingOf = async (budgetId: Id<'budget'>) => {
  const [row] = await owner`
    select coalesce((select sum(used) from budget_use where budget_id = ${toUuid(budgetId)}), 0)::int as used,
      coalesce((select sum(amount) from budget_hold where budget_id = ${toUuid(budgetId)}), 0)::int as held`;
  return row;
};

function aCall(path: string, tokens: number, cost: PricedModelCall['cost'] = null): PricedModelCall {
  const [inputTokens, cachedInputTokens, cacheWriteTokens, outputTokens, reasoningTokens] = [tokens - 4, 1, 1, 1, 1];
  const usage = { inputTokens, cachedInputTokens, cacheWriteTokens, outputTokens, reasoningTokens, isEstimated: false };
  return {
    path,
    agentId: 'a',
    provider: 'compatible',
    model: 'm',
    context: null,
    response: { content: [], calls: [], finishReason: 'stop', rawReason: null, usage },
    startedAt: now,
    firstPartMs: null,
    durationMs: 1,
    attempts: 1,
    scene: 'answer',
    cost,
  };
}
const recorded = (...modelCalls: PricedModelCall[]): Boundary => ({ modelCalls, settlesBudgets: true });

describe('a reservation', () => {
  verifies(
    'H-34',
    'lets ten of a thousand that ask at once have a budget for ten',
    async () => {
      const person = await aPerson();
      const runs = await runsOf(person, 1_000);
      const [shared, own] = [await aBudget(person), await aBudget(person, { subject: 'session', period: 'total', hard_limit: 5_000 })];
      const answers = await Promise.all(runs.map((runId) => reserve(person, runId, [claim(shared), claim(own, 300)])));
      const won = answers.filter(({ status }) => status === 'reserved').length;
      expect(answers.filter(({ status }) => status === 'refused')).toHaveLength(1_000 - won);
      expect(won).toBe(10);
      expect(await standingOf(shared)).toEqual({ used: 0, held: 1_000 });
      // Of the other budget those that were refused hold nothing.
      expect(await standingOf(own)).toEqual({ used: 0, held: 3_000 });
    },
    120_000,
  );

  it('holds what is left where that is enough, and says how much', async () => {
    const person = await aPerson();
    const [first, second, third] = await runsOf(person, 3);
    const budgetId = await aBudget(person);
    await reserve(person, first as Id<'run'>, [claim(budgetId, 900)]);
    expect(await reserve(person, second as Id<'run'>, [claim(budgetId, 500, 60)])).toMatchObject({
      status: 'reserved',
      standings: [
        { budgetId, used: 0, reserved: 900, held: 100, hardLimit: 1_000, softLimit: null, endsAt: new Date('2026-12-01T00:00:00Z') },
      ],
    });
    expect(await reserve(person, third as Id<'run'>, [claim(budgetId, 500, 60)])).toMatchObject({
      status: 'refused',
      standings: [{ reserved: 1_000, held: 0, needs: 60 }],
    });
  });

  it('for the same call stands in the place of an earlier one: a driver that takes a run on', async () => {
    const person = await aPerson();
    const [runId] = (await runsOf(person, 1)) as [Id<'run'>];
    const budgetId = await aBudget(person);
    await reserve(person, runId, [claim(budgetId, 900)]);
    expect((await reserve(person, runId, [claim(budgetId, 800)])).status).toBe('reserved');
    expect(await standingOf(budgetId)).toEqual({ used: 0, held: 800 });
  });

  it('is refused to a driver that has lost the run, and to a run that was stopped or has ended', async () => {
    const person = await aPerson();
    const [lost, stopped, ended] = (await runsOf(person, 3)) as [Id<'run'>, Id<'run'>, Id<'run'>];
    const budgetId = await aBudget(person);
    await owner`update run set epoch = 2 where id = ${toUuid(lost)}`;
    await owner`update run set cancel_requested_at = now() where id = ${toUuid(stopped)}`;
    await owner`update run set state = 'FINISH_OK' where id = ${toUuid(ended)}`;
    for (const runId of [lost, stopped, ended]) expect(await reserve(person, runId, [claim(budgetId)])).toEqual({ status: 'stale' });
    expect(await standingOf(budgetId)).toEqual({ used: 0, held: 0 });
  });

  it('claims nothing of another tenant’s budget', async () => {
    const [person, stranger] = [await aPerson(), await aPerson()];
    const [runId] = (await runsOf(person, 1)) as [Id<'run'>];
    const theirs = await aBudget(stranger, { hard_limit: 1 });
    expect(await reserve(person, runId, [claim(theirs)])).toEqual({ status: 'reserved', standings: [] });
    expect(await standingOf(theirs)).toEqual({ used: 0, held: 0 });
    expect(await ledger.list(person.scope)).toEqual([]);
    expect(await ledger.list(stranger.scope)).toMatchObject([{ id: theirs }]);
  });

  it('is of the person’s, or of the chat’s part where the budget is for each', async () => {
    const ada = await aPerson();
    const bob = await aPerson('UTC', ada.scope.tenantId);
    const [ofAda] = (await runsOf(ada, 1)) as [Id<'run'>];
    const [ofBob] = (await runsOf(bob, 1)) as [Id<'run'>];
    const each = await aBudget(ada, { subject: 'user' });
    await reserve(ada, ofAda, [claim(each, 1_000)]);
    expect(await reserve(bob, ofBob, [claim(each, 1_000)])).toMatchObject({ status: 'reserved', standings: [{ reserved: 0 }] });
  });
});

describe('a budget’s periods', () => {
  verifies('K24', 'are days of the workspace’s time zone, those of 23 and 25 hours too', async () => {
    const person = await aPerson('Europe/Berlin');
    const [runId] = (await runsOf(person, 1)) as [Id<'run'>];
    const budgetId = await aBudget(person, { period: 'day' });
    const endAt = async (instant: string) => {
      now = new Date(instant);
      const answer = await reserve(person, runId, [claim(budgetId)]);
      return answer.status === 'stale' ? null : answer.standings[0]?.endsAt?.toISOString();
    };
    expect(await endAt('2026-03-29T00:30:00Z')).toBe('2026-03-29T22:00:00.000Z');
    expect(await endAt('2026-03-28T22:59:59Z')).toBe('2026-03-28T23:00:00.000Z');
    expect(await endAt('2026-10-25T10:00:00Z')).toBe('2026-10-25T23:00:00.000Z');
    const starts = await owner`select period_start from budget_use where budget_id = ${toUuid(budgetId)} order by 1`;
    expect(starts.map(({ period_start }) => period_start.toISOString())).toEqual([
      '2026-03-27T23:00:00.000Z',
      '2026-03-28T23:00:00.000Z',
      '2026-10-24T22:00:00.000Z',
    ]);
  });

  it('begin with nothing used', async () => {
    const person = await aPerson();
    const [runId] = (await runsOf(person, 1)) as [Id<'run'>];
    const budgetId = await aBudget(person);
    await reserve(person, runId, [claim(budgetId, 1_000)]);
    await journal.write(keyOf(person, runId), recorded(aCall('a/m0', 1_000)));
    expect((await reserve(person, runId, [claim(budgetId)], { path: 'a/m1' })).status).toBe('refused');
    now = new Date('2026-12-01T00:00:00Z');
    expect(await reserve(person, runId, [claim(budgetId)], { path: 'a/m1' })).toMatchObject({
      status: 'reserved',
      standings: [{ used: 0 }],
    });
  });
});

describe('the record of a call', () => {
  it('gives back what the call held and counts what it used, every class once', async () => {
    const person = await aPerson();
    const [runId] = (await runsOf(person, 1)) as [Id<'run'>];
    const budgetId = await aBudget(person);
    await reserve(person, runId, [claim(budgetId, 500)]);
    await reserve(person, runId, [claim(budgetId, 200)], { path: 'a/m1' });
    await journal.write(keyOf(person, runId), recorded(aCall('a/m0', 40)));
    expect(await standingOf(budgetId)).toEqual({ used: 40, held: 200 });
  });

  it('counts money, and where a call has no cost what it held', async () => {
    const person = await aPerson();
    const [runId] = (await runsOf(person, 1)) as [Id<'run'>];
    const budgetId = await aBudget(person, { measure: 'money', currency: 'USD' });
    await reserve(person, runId, [claim(budgetId, 500)]);
    await reserve(person, runId, [claim(budgetId, 200)], { path: 'a/m1' });
    await journal.write(keyOf(person, runId), recorded(aCall('a/m0', 40, { micros: 7, currency: 'USD' }), aCall('a/m1', 40)));
    expect(await standingOf(budgetId)).toEqual({ used: 207, held: 0 });
  });

  it('settles all of many that are written at once', async () => {
    const person = await aPerson();
    const runs = await runsOf(person, 60);
    const [shared, each] = [
      await aBudget(person, { hard_limit: 100_000 }),
      await aBudget(person, { subject: 'user', hard_limit: 100_000 }),
    ];
    await Promise.all(
      runs.map(async (runId) => {
        await reserve(person, runId, [claim(each, 50), claim(shared, 50)]);
        await journal.write(keyOf(person, runId), recorded(aCall('a/m0', 30)));
      }),
    );
    expect(await standingOf(shared)).toEqual({ used: 1_800, held: 0 });
    expect(await standingOf(each)).toEqual({ used: 1_800, held: 0 });
  });

  it('changes nothing where the fence refuses it', async () => {
    const person = await aPerson();
    const [runId] = (await runsOf(person, 1)) as [Id<'run'>];
    const budgetId = await aBudget(person);
    await reserve(person, runId, [claim(budgetId, 500)]);
    await expect(journal.write(keyOf(person, runId, 0), recorded(aCall('a/m0', 40)))).rejects.toMatchObject({ code: 'stale_epoch' });
    expect(await standingOf(budgetId)).toEqual({ used: 0, held: 500 });
  });
});

describe('a run that ends or waits', () => {
  it('holds nothing, whoever ends it', async () => {
    const person = await aPerson();
    const [ended, waiting] = (await runsOf(person, 2)) as [Id<'run'>, Id<'run'>];
    const budgetId = await aBudget(person);
    for (const runId of [ended, waiting]) {
      await reserve(person, runId, [claim(budgetId, 300)]);
      await reserve(person, runId, [claim(budgetId, 100)], { path: 'a/m0/t0/b/m0' });
    }
    const run = await journal.find(person.scope, ended);
    if (!run) throw new Error('no run');
    // As the reconciler does, which knows of no budget.
    await journal.write(keyOf(person, ended), endBoundary(run, { terminal: 'CANCELLED', text: '', at: now }));
    expect(await standingOf(budgetId)).toEqual({ used: 0, held: 400 });
    await journal.write(keyOf(person, waiting), { run: { state: 'WAITING' } });
    expect(await standingOf(budgetId)).toEqual({ used: 0, held: 0 });
  });
});
