import type { Sql } from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifies } from '#e2e/verifies.ts';
import { moveSession, PLATFORM_PRESETS } from '#lib/conversations/index.ts';
import { type Id, newId, systemClock, toUuid } from '#lib/kernel/index.ts';
import { endBoundary } from '#lib/supervisor/domain/ending.ts';
import type { RunEventEntry } from '#lib/supervisor/index.ts';
import { type Actor, PERMISSIONS } from '#lib/tenancy/index.ts';
import { createTestDatabase, type TestDatabase } from '#lib/testing/database.ts';
import { openSql } from '../client.ts';
import { createPlatformQueries } from '../platform-queries.ts';
import { createRunEventBus } from './run-event-bus.ts';
import { createRunGate } from './run-gate.ts';
import { createRunJournal } from './run-journal.ts';
import { createRunReader } from './run-reader.ts';

let testDatabase: TestDatabase;
let app: Sql;
let owner: Sql;
let platformSql: Sql;
let gate: ReturnType<typeof createRunGate>;
let journal: ReturnType<typeof createRunJournal>;
let reader: ReturnType<typeof createRunReader>;
const enqueued: { runId: Id<'run'>; segment: number }[] = [];
const enqueue = async (_transaction: unknown, run: { runId: Id<'run'>; segment: number; hasBegun?: boolean }) => void enqueued.push(run);

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  const { databaseUrl } = testDatabase;
  app = openSql({ databaseUrl, role: 'bailiwick_app', max: 4, name: 'test' });
  owner = openSql({ databaseUrl, role: 'owner', max: 1, name: 'test' });
  platformSql = openSql({ databaseUrl, role: 'bailiwick_platform', max: 2, name: 'test' });
  const bus = createRunEventBus(app);
  gate = createRunGate({ sql: app, clock: systemClock, bus, presets: PLATFORM_PRESETS });
  journal = createRunJournal({ sql: app, clock: systemClock, bus });
  reader = createRunReader(app);
});
afterAll(async () => {
  await Promise.all([app.end(), owner.end(), platformSql.end()]);
  await testDatabase.drop();
});

async function aPerson(tenantId: Id<'tenant'> = newId('tenant')): Promise<Actor> {
  const userId = newId('user');
  await owner`insert into tenant (id, slug, name) values (${toUuid(tenantId)}, ${tenantId.slice(-20)}, 'T') on conflict do nothing`;
  await owner`insert into app_user (id, email, name) values (${toUuid(userId)}, ${`${userId}@example.com`}, 'Ada')`;
  const about = { displayName: 'Ada', email: '', roleKey: 'member', roleName: 'Member', locale: null, timeZone: 'UTC' };
  return { kind: 'user', scope: { tenantId, userId }, permissions: new Set(PERMISSIONS), ...about };
}

async function aSession(actor: Actor): Promise<Id<'session'>> {
  const [tenant, user, sessionId] = [toUuid(actor.scope.tenantId), toUuid(actor.scope.userId), newId('session')];
  await owner`
    insert into agent_session (tenant_id, id, user_id, preset, state, title, checkpoint_thread_id)
    values (${tenant}, ${toUuid(sessionId)}, ${user}, 'default', 'IDLE', '', ${sessionId})`;
  return sessionId;
}

const submit = (actor: Actor, sessionId: Id<'session'>, given: { idempotencyKey?: string; mayBegin?: boolean } = {}) =>
  gate.submit(
    {
      sessionId,
      actor,
      text: 'hello',
      parentId: undefined,
      locale: 'en',
      timeZone: null,
      timeLimitMs: 1_000,
      idempotencyKey: given.idempotencyKey ?? null,
      requestHash: 'h',
      mayBegin: given.mayBegin ?? false,
    },
    enqueue,
  );

async function aRun() {
  const actor = await aPerson();
  const sessionId = await aSession(actor);
  const { runId } = await submit(actor, sessionId);
  return { actor, sessionId, runId, segment: { tenantId: actor.scope.tenantId, runId, number: 1 } };
}

async function aBegunRun() {
  const made = await aRun();
  const records = await journal.begin(made.segment);
  if (!records) throw new Error('there was nothing to drive');
  const key = { tenantId: made.actor.scope.tenantId, sessionId: made.sessionId, runId: made.runId, epoch: records.run.epoch };
  return { ...made, run: records.run, key };
}

const said = (text: string): RunEventEntry => ({ type: 'text-delta', at: new Date(), payload: { step: 0, attempt: 1, text } });
const textsOf = async (runId: Id<'run'>) =>
  (await owner`select payload from run_event where run_id = ${toUuid(runId)} and type = 'text-delta' order by seq`).map(
    (row) => row.payload.text,
  );
const eventsOf = (runId: Id<'run'>) =>
  owner`select seq, type, payload - 'messageId' as payload from run_event where run_id = ${toUuid(runId)} order by seq`;
const answeredBefore = (ms: number) => ({ terminal: 'FINISH_OK', text: 'flowing', at: new Date(Date.now() - ms) }) as const;
const stale = { code: 'stale_epoch' };

describe('a run that a place is free for', () => {
  it('begins with its message, as its first driver would have begun it', async () => {
    const driven = await aBegunRun();
    const actor = await aPerson();
    const submitted = await submit(actor, await aSession(actor), { mayBegin: true });
    const begun = submitted.status === 'submitted' ? submitted.begun : null;
    expect([...(await eventsOf(submitted.runId))]).toEqual([...(await eventsOf(driven.runId))]);
    const { id: _ours, startedAt, createdAt, tenantId: _t, sessionId: _s, userId: _u, messageId: _m, ...more } = begun?.run ?? {};
    const { rootRunId, rootSessionId, ...rest } = more as Partial<typeof driven.run>;
    expect([rootRunId, rootSessionId]).toEqual([begun?.run.id, begun?.run.sessionId]);
    expect(driven.run).toMatchObject(rest);
    expect(rest).toMatchObject({ state: 'RUNNING', epoch: 1, eventSeq: 2 });
    expect(startedAt).toEqual(createdAt);
    expect(enqueued.at(-1)).toMatchObject({ runId: submitted.runId, hasBegun: true });
  });

  it('is fenced by whoever takes it over', async () => {
    const actor = await aPerson();
    const sessionId = await aSession(actor);
    const { runId } = await submit(actor, sessionId, { mayBegin: true });
    const { tenantId } = actor.scope;
    expect((await journal.begin({ tenantId, runId, number: 1 }))?.run).toMatchObject({ epoch: 2, state: 'RUNNING' });
    await expect(journal.write({ tenantId, sessionId, runId, epoch: 1 }, { events: [said('late')] })).rejects.toMatchObject(stale);
  });

  it('waits all the same behind what its session has not ended', async () => {
    const actor = await aPerson();
    const sessionId = await aSession(actor);
    await submit(actor, sessionId, { mayBegin: true });
    const second = await submit(actor, sessionId, { mayBegin: true });
    expect(second).toMatchObject({ status: 'submitted', queuePlace: 1, begun: null });
    expect(enqueued.at(-1)).toMatchObject({ runId: second.runId, hasBegun: false });
    const [row] = await owner`select state, epoch from run where id = ${toUuid(second.runId)}`;
    expect(row).toEqual({ state: 'QUEUED', epoch: 0 });
  });
});

describe('what drives a run', () => {
  verifies('K30', 'is fenced by the next that begins: of a late write nothing lands', async () => {
    const { actor, runId, key, segment, sessionId } = await aBegunRun();
    await journal.write(key, { events: [said('first')] });
    await journal.begin(segment);
    const late = journal.write(key, {
      run: { state: 'FINISH_OK', answer: 'late' },
      events: [said('late')],
      audit: [{ type: 'run.finished', target: { kind: 'run', id: runId }, runId }],
      nodes: [{ path: 'late', output: {} }],
      session: { events: [{ type: 'late', payload: {} }, moveSession('IDLE', 'PLANNING', 'late')] },
      message: { id: newId('message'), text: 'late', state: 'complete' },
    });
    await expect(late).rejects.toMatchObject(stale);
    await journal.write({ ...key, epoch: 2 }, { events: [said('second')] });
    expect(await textsOf(runId)).toEqual(['first', 'second']);
    expect(await reader.get(actor.scope, runId, { ownOnly: true })).toMatchObject({ state: 'RUNNING', answer: null, epoch: 2 });
    const [left] = await owner`
      select (select count(*)::int from audit_event where run_id = ${toUuid(runId)}) as audits, (select count(*)::int from node_record where run_id = ${toUuid(runId)}) as nodes,
        (select count(*)::int from message where run_id = ${toUuid(runId)}) as messages, (select state from agent_session where id = ${toUuid(sessionId)}) as session`;
    expect(left).toEqual({ audits: 1, nodes: 0, messages: 1, session: 'IDLE' });
  });

  it('finds nothing to do in a run that has ended, and cannot write to it', async () => {
    for (const terminal of ['FINISH_OK', 'FINISH_ERROR', 'TIMEOUT', 'CANCELLED'] as const) {
      const { runId, run, key, segment } = await aBegunRun();
      await journal.write(key, endBoundary(run, { terminal, text: 'the end', at: new Date() }));
      await expect(journal.write(key, { events: [said('after the end')] })).rejects.toMatchObject(stale);
      await expect(journal.write(key, endBoundary(run, { terminal: 'FINISH_OK', text: 'again', at: new Date() }))).rejects.toMatchObject(
        stale,
      );
      expect(await journal.begin(segment)).toBeNull();
      expect(await textsOf(runId)).toEqual([]);
      const [row] = await owner`select state, epoch from run where id = ${toUuid(runId)}`;
      expect(row).toEqual({ state: terminal, epoch: 1 });
    }
  });

  it('finds nothing to do while a person has to decide', async () => {
    const { runId, key, segment } = await aBegunRun();
    const question = {
      id: newId('question'),
      runId,
      invocationId: null,
      kind: 'unknown-outcome',
      text: '?',
      options: [],
      answer: null,
    } as const;
    await journal.write(key, { run: { state: 'WAITING' }, question: { ...question, state: 'OPEN' } });
    expect(await journal.begin(segment)).toBeNull();
    await owner`update question set state = 'ANSWERED' where id = ${toUuid(question.id)}`;
    expect(await journal.begin(segment)).toMatchObject({ run: { state: 'RUNNING', epoch: 2 }, question: { state: 'ANSWERED' } });
  });

  it('finds nothing to do under another segment’s number, or another tenant’s', async () => {
    const { segment } = await aRun();
    for (const wrong of [{ number: 0 }, { number: 2 }, { tenantId: (await aPerson()).scope.tenantId }, { runId: newId('run') }])
      expect(await journal.begin({ ...segment, ...wrong })).toBeNull();
    expect(await journal.begin(segment)).toMatchObject({ run: { epoch: 1 } });
  });

  verifies('K4', 'begins nothing once a stop was asked for, and may still write its end', async () => {
    const { actor, runId, run, key } = await aBegunRun();
    await gate.requestCancel(actor.scope, runId, actor.scope.userId, (stopped) =>
      endBoundary(stopped, { terminal: 'CANCELLED', text: '', at: new Date() }),
    );
    await expect(journal.write(key, { events: [said('begins')], refuseWhenCancelled: true })).rejects.toMatchObject(stale);
    await journal.write(key, { events: [said('was under way')] });
    await journal.write(key, endBoundary(run, { terminal: 'CANCELLED', text: '', at: new Date() }));
    expect(await textsOf(runId)).toEqual(['was under way']);
  });

  it('is set going again once, by however many who find it standing still', async () => {
    const { runId, run } = await aBegunRun();
    const platform = createPlatformQueries(platformSql);
    const moved = await Promise.all([1, 2, 3].map(() => platform.requeue(run, enqueue)));
    expect(moved.filter(Boolean)).toEqual([true]);
    expect(enqueued.filter((entry) => entry.runId === runId).map(({ segment }) => segment)).toEqual([1, 2]);
    await journal.begin({ tenantId: run.tenantId, runId, number: 2 });
    await platform.requeue({ ...run, segment: 2 }, enqueue);
    expect(enqueued.filter((entry) => entry.runId === runId)).toHaveLength(2);
  });
});

describe('text as it flowed', () => {
  it('is pruned some time after its run has ended, and not before; the rest of the log stays', async () => {
    const platform = createPlatformQueries(platformSql);
    const [ended, recent, running] = [await aBegunRun(), await aBegunRun(), await aBegunRun()];
    for (const { key } of [ended, recent, running]) await journal.write(key, { events: [said('flowing')] });
    await journal.write(ended.key, endBoundary(ended.run, answeredBefore(3_700_000)));
    await journal.write(recent.key, endBoundary(recent.run, answeredBefore(3_500_000)));
    expect(await platform.pruneDeltas(3_600_000)).toBe(1);
    expect([await textsOf(ended.runId), await textsOf(recent.runId), await textsOf(running.runId)]).toEqual([[], ['flowing'], ['flowing']]);
    const { items } = await reader.events(ended.actor.scope, ended.runId, 0, 50);
    expect(items.map(({ type }) => type)).toEqual([
      'UserPromptSubmitted',
      'run-state',
      'ModelResponseProduced',
      'RUN_FINISH',
      'run-state',
      'AgentTurnCompleted',
      'STREAM_DONE',
    ]);
  });
});

describe('a session', () => {
  const missing = { code: 'session_not_found', message: 'session not found' };

  verifies(['P-10', 'P-18', 'K15'], 'takes messages of its own person alone', async () => {
    const actor = await aPerson();
    const sessionId = await aSession(actor);
    const colleague = await aPerson(actor.scope.tenantId);
    const stranger = await aPerson();
    for (const other of [colleague, stranger]) await expect(submit(other, sessionId)).rejects.toMatchObject(missing);
    const [row] = await owner`select count(*)::int as runs from run where session_id = ${toUuid(sessionId)}`;
    expect(row?.runs).toBe(0);
    expect(await submit(actor, sessionId)).toMatchObject({ status: 'submitted' });
  });

  it('takes none once it is closed', async () => {
    const actor = await aPerson();
    for (const state of ['COMPLETED', 'FAILED', 'CANCELLED']) {
      const sessionId = await aSession(actor);
      await owner`update agent_session set state = ${state} where id = ${toUuid(sessionId)}`;
      await expect(submit(actor, sessionId)).rejects.toMatchObject({ code: 'session_closed' });
    }
  });

  it('takes none once its person has deleted it', async () => {
    const actor = await aPerson();
    const sessionId = await aSession(actor);
    await owner`update agent_session set deleted_at = now() where id = ${toUuid(sessionId)}`;
    await expect(submit(actor, sessionId)).rejects.toMatchObject(missing);
  });

  verifies('K30', 'takes a repeated request for the first one', async () => {
    const actor = await aPerson();
    const sessionId = await aSession(actor);
    const twins = await Promise.all([1, 2, 3].map(() => submit(actor, sessionId, { idempotencyKey: 'k' })));
    expect(twins.map(({ status }) => status).sort()).toEqual(['repeated', 'repeated', 'submitted']);
    expect(new Set(twins.map(({ runId }) => runId)).size).toBe(1);
    expect(enqueued.filter((entry) => entry.runId === twins[0]?.runId)).toHaveLength(1);
    expect((await submit(actor, await aSession(actor), { idempotencyKey: 'k' })).status).toBe('submitted');
  });
});

const listed = async (actor: Actor, ownOnly: boolean) =>
  (await reader.list(actor.scope, { limit: 50 }, { ownOnly })).items.map(({ id }) => id);

describe('a run', () => {
  verifies(['P-18', 'K15'], 'is shown to its own person, to who may audit its tenant, and to nobody else', async () => {
    const { actor, runId } = await aRun();
    const colleague = await aPerson(actor.scope.tenantId);
    const stranger = await aPerson();
    expect(await listed(actor, true)).toEqual([runId]);
    expect(await listed(colleague, true)).toEqual([]);
    expect(await listed(colleague, false)).toEqual([runId]);
    expect(await listed(stranger, false)).toEqual([]);
    expect(await reader.get(colleague.scope, runId, { ownOnly: true })).toBeNull();
    expect(await reader.get(colleague.scope, runId, { ownOnly: false })).toMatchObject({ id: runId });
    expect(await reader.get(stranger.scope, runId, { ownOnly: false })).toBeNull();
    expect((await reader.events(stranger.scope, runId, 0, 10)).items).toEqual([]);
  });

  it('that waits in the queue and is stopped leaves the session to the one that runs', async () => {
    const { actor, sessionId, key } = await aBegunRun();
    await journal.write(key, { session: { events: [moveSession('IDLE', 'PLANNING', 'a run has started')] } });
    const { runId } = await submit(actor, sessionId);
    await gate.requestCancel(actor.scope, runId, actor.scope.userId, (stopped) =>
      endBoundary(stopped, { terminal: 'CANCELLED', text: '', at: new Date() }),
    );
    expect((await reader.get(actor.scope, runId, { ownOnly: true }))?.state).toBe('CANCELLED');
    const [session] = await owner`select state from agent_session where id = ${toUuid(sessionId)}`;
    expect(session?.state).toBe('PLANNING');
    const events = await owner`select type from session_event where session_id = ${toUuid(sessionId)} order by seq`;
    expect(events.map(({ type }) => type)).toEqual([
      'UserPromptSubmitted',
      'session-state',
      'UserPromptSubmitted',
      'RUN_CANCELLED',
      'STREAM_DONE',
    ]);
  });
});
