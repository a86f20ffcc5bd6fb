import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { prepareEngine } from '#lib/durable/adapters/prepare-engine.ts';
import { type Id, newId, systemClock, toUuid } from '#lib/kernel/index.ts';
import { createTestDatabase, type TestDatabase } from '#lib/testing/database.ts';
import { eventually } from '#lib/testing/run-lab.ts';
import { type Database, openDatabase } from '../client.ts';
import { createRunEventBus } from './run-event-bus.ts';
import { createRunJournal } from './run-journal.ts';

describe('createRunJournal', () => {
  let testDatabase: TestDatabase;
  let database: Database;
  let owner: postgres.Sql;

  beforeAll(async () => {
    testDatabase = await createTestDatabase();
    await prepareEngine({ databaseUrl: testDatabase.databaseUrl });
    database = openDatabase({ databaseUrl: testDatabase.databaseUrl, role: 'bailiwick_app', max: 4, name: 'journal' });
    owner = postgres(testDatabase.databaseUrl, { max: 2 });
  });

  afterAll(async () => {
    await database.close();
    await owner.end();
    await testDatabase.drop();
  });

  async function aRun(state: string) {
    const [tenantId, userId, sessionId, runId] = [newId('tenant'), newId('user'), newId('session'), newId('run')];
    await owner`insert into tenant (id, slug, name) values (${toUuid(tenantId)}, ${tenantId.slice(-20)}, 'T')`;
    await owner`insert into app_user (id, email, name) values (${toUuid(userId)}, ${`${userId}@example.com`}, 'Ada')`;
    await owner`insert into agent_session (tenant_id, id, user_id, preset, state, title, checkpoint_thread_id) values (${toUuid(tenantId)}, ${toUuid(sessionId)}, ${toUuid(userId)}, 'default', 'IDLE', '', ${sessionId})`;
    await owner`
      insert into run (tenant_id, id, session_id, user_id, message_id, preset, input, locale, time_zone, state, time_limit_ms)
      values (${toUuid(tenantId)}, ${toUuid(runId)}, ${toUuid(sessionId)}, ${toUuid(userId)}, ${toUuid(newId('message'))}, 'default', 'hello', 'en', 'UTC', ${state}, 1000)`;
    return { tenantId, sessionId, runId, number: 1 };
  }

  /** Begins the segment while another process holds the run's row and is about to commit `write`. */
  async function beginBehind(segment: Awaited<ReturnType<typeof aRun>>, write: (tx: postgres.TransactionSql) => Promise<unknown>) {
    const journal = createRunJournal({ sql: database.sql, clock: systemClock, bus: createRunEventBus(database.sql) });
    const begun = await owner.begin(async (tx) => {
      await tx`select from run where id = ${toUuid(segment.runId)} for update`;
      const waiting = journal.begin(segment);
      await untilBlocked(owner);
      await write(tx);
      return { waiting };
    });
    return begun.waiting;
  }

  const statesOf = async (runId: Id<'run'>) =>
    (await owner`select payload from run_event where run_id = ${toUuid(runId)} and type = 'run-state'`).map((row) => row.payload);

  it('says from which state it takes a run on, also when it had to wait for the owner before it', async () => {
    const segment = await aRun('QUEUED');
    const records = await beginBehind(segment, (tx) => tx`update run set state = 'RUNNING', epoch = 1 where id = ${toUuid(segment.runId)}`);
    expect(records?.run.epoch).toBe(2);
    expect(await statesOf(segment.runId)).toEqual([{ from: 'RUNNING', to: 'RUNNING', reason: 'taken over' }]);
  });

  it('leaves a run alone whose segment another execution has by now', async () => {
    const segment = await aRun('QUEUED');
    const journal = createRunJournal({ sql: database.sql, clock: systemClock, bus: createRunEventBus(database.sql) });
    const segmentKey = `${segment.runId}:1`;
    await owner`insert into dbos.workflow_status (workflow_uuid, status, owner_xid) values (${segmentKey}, 'PENDING', 'first')`;
    const inTime = await journal.begin(segment, { segmentKey, token: 'first' });
    expect(inTime?.run.epoch).toBe(1);
    await owner`update dbos.workflow_status set owner_xid = 'second' where workflow_uuid = ${segmentKey}`;
    expect(await journal.begin(segment, { segmentKey, token: 'first' })).toBeNull();
    expect((await journal.begin(segment, { segmentKey, token: 'second' }))?.run.epoch).toBe(2);
  });

  /** A process: its bus, and what a reader of the run in it is told. */
  async function aProcessReading(runId: Id<'run'>) {
    const bus = createRunEventBus(database.sql);
    await bus.listen();
    const told: (readonly number[] | null)[] = [];
    bus.subscribe(runId, (batch) => told.push(batch && batch.events.map((_event, index) => batch.firstSeq + index)));
    return { bus, told, journal: createRunJournal({ sql: database.sql, clock: systemClock, bus }) };
  }

  const aWord = { events: [{ type: 'text-delta', at: new Date(), payload: { step: 0, attempt: 1, text: 'hello' } }] } as const;

  it('tells readers of its own process what it wrote, and those of others that there is something to read', async () => {
    const segment = await aRun('QUEUED');
    const [own, other] = [await aProcessReading(segment.runId), await aProcessReading(segment.runId)];
    await own.journal.begin(segment);
    await own.journal.write({ ...segment, epoch: 1 }, aWord);
    await eventually(() => other.told.length === 2);
    expect(other.told).toEqual([null, null]);
    expect(own.told).toEqual([[1], [2]]);
  });

  it('sends its own readers to the database after a write of which it does not know whether it was committed', async () => {
    const segment = await aRun('QUEUED');
    const { bus, told, journal } = await aProcessReading(segment.runId);
    await journal.begin(segment);
    const notice = bus.noticeOf(segment.runId);
    const lost = journal.write({ ...segment, epoch: 1 }, { ...aWord, run: { workedMs: 0.5 } });
    await expect(lost).rejects.toThrow('invalid input syntax for type bigint');
    expect(told).toEqual([[1], null]);
    // As the notice of a commit that the database made after the connection was lost.
    await owner`select pg_notify('bailiwick_run', ${notice})`;
    await eventually(() => told.length === 3);
    expect(told.at(-1)).toBeNull();
  });

  it('leaves a run alone that has asked a person while it was waited for', async () => {
    const segment = await aRun('RUNNING');
    const records = await beginBehind(segment, async (tx) => {
      await tx`
        insert into question (tenant_id, id, run_id, kind, text, options, state)
        values (${toUuid(segment.tenantId)}, ${toUuid(newId('question'))}, ${toUuid(segment.runId)}, 'unknown-outcome', 'Did it?', '[]', 'OPEN')`;
      await tx`update run set state = 'WAITING' where id = ${toUuid(segment.runId)}`;
    });
    expect(records).toBeNull();
    expect(await statesOf(segment.runId)).toEqual([]);
  });
});

async function untilBlocked(sql: postgres.Sql): Promise<void> {
  for (;;) {
    const rows = await sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    if (rows.length > 0) return;
  }
}
