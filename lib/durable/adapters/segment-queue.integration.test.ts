import postgres from 'postgres';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { verifies } from '#e2e/verifies.ts';
import { createTestDatabase, type TestDatabase } from '#lib/testing/database.ts';
import { layCable } from '#lib/testing/database-cable.ts';
import { eventually } from '#lib/testing/run-lab.ts';
import { prepareEngine } from './prepare-engine.ts';
import { createSegmentQueue, type SegmentQueue } from './segment-queue.ts';

const claim = async (of: SegmentQueue, budget = 100) => ((await of.claim(budget))?.segments ?? []).map(({ key }) => key).sort();

describe('createSegmentQueue', () => {
  let testDatabase: TestDatabase;
  let owner: postgres.Sql;
  let queue: SegmentQueue;
  let other: SegmentQueue;

  beforeAll(async () => {
    testDatabase = await createTestDatabase();
    await prepareEngine({ databaseUrl: testDatabase.databaseUrl });
    owner = postgres(testDatabase.databaseUrl, { max: 2, onnotice: () => undefined });
  });
  beforeEach(() => {
    queue = aProcess('one');
    other = aProcess('two');
  });
  afterEach(async () => {
    await Promise.all([queue.close(), other.close()]);
    await owner`delete from dbos.workflow_status`;
  });
  afterAll(async () => {
    await owner.end();
    await testDatabase.drop();
  });

  const aProcess = (executorId: string, databaseUrl = testDatabase.databaseUrl) =>
    createSegmentQueue({
      databaseUrl,
      executorId,
      queue: 'runs',
      applicationVersion: '1',
    });

  let clock = 0;
  async function enqueue(key: string, sessionId: string, place = 0, tenant: string | null = null) {
    clock += 1;
    await owner`
      insert into dbos.workflow_status (workflow_uuid, status, name, queue_name, queue_partition_key, priority, created_at, authenticated_user)
      values (${key}, 'ENQUEUED', 'segment', 'runs', ${sessionId}, ${place}, ${clock}, ${tenant})`;
  }
  const end = (key: string) => owner`update dbos.workflow_status set status = 'SUCCESS' where workflow_uuid = ${key}`;

  it('takes one segment a session, the one with the lowest place', async () => {
    await enqueue('a second', 'a', 2);
    await enqueue('a first', 'a', 1);
    await enqueue('b', 'b');
    expect(await claim(queue)).toEqual(['a first', 'b']);
    expect(await claim(queue)).toEqual([]);
    await end('a first');
    expect(await claim(queue)).toEqual(['a second']);
  });

  it('says in each row whose it is, as the engine does itself', async () => {
    await enqueue('a', 'a');
    const claimed = await queue.claim(1);
    const [row] = await owner`select * from dbos.workflow_status where workflow_uuid = 'a'`;
    expect(row).toMatchObject({ status: 'PENDING', executor_id: 'one', owner_xid: claimed?.token, application_version: '1' });
    expect(Number(row?.recovery_attempts)).toBe(1);
  });

  it('takes no more than it may, those that wait longest first', async () => {
    for (const session of ['c', 'b', 'a']) await enqueue(session, session);
    expect(await claim(queue, 0)).toEqual([]);
    expect(await claim(queue, 2)).toEqual(['b', 'c']);
  });

  verifies('H-25', 'takes turns between tenants: the flood of one does not keep another waiting', async () => {
    for (const key of ['a1', 'a2', 'a3', 'a4', 'a5', 'a6']) await enqueue(key, key, 0, 'a');
    for (const key of ['b1', 'b2']) await enqueue(key, key, 0, 'b');
    expect(await claim(queue, 3)).toEqual(['a1', 'a2', 'b1']);
    expect(await claim(other, 1)).toEqual(['b2']);
    // What is at work counts as much as what has just been taken: a late one is next before all of the flood.
    await enqueue('c1', 'c1', 0, 'c');
    expect(await claim(queue, 1)).toEqual(['c1']);
    expect(await claim(queue)).toEqual(['a3', 'a4', 'a5', 'a6']);
  });

  verifies('H-25', 'tells the line in the order in which it will be taken, what is at work beside it', async () => {
    for (const key of ['a1', 'a2', 'a3']) await enqueue(key, key, 0, 'a');
    await enqueue('b1', 'b1', 0, 'b');
    await enqueue('b1 later', 'b1', 1, 'b');
    const line = await queue.readLine();
    expect(line.active).toBe(0);
    expect(line.waiting.map(({ key, tenantId }) => `${tenantId}: ${key}`)).toEqual(['a: a1', 'b: b1', 'a: a2', 'a: a3']);
    const taken: string[] = [];
    for (const of of [queue, other, queue, other]) taken.push(...(await claim(of, 1)));
    expect(taken).toEqual(line.waiting.map(({ key }) => key));
    expect(await queue.readLine()).toEqual({ active: 4, waiting: [] });
  });

  it('gives each segment to one process, however many look at once', async () => {
    const keys = Array.from({ length: 40 }, (_, index) => `s${String(index).padStart(2, '0')}`);
    for (const key of keys) await enqueue(key, key);
    const claimed = await Promise.all(Array.from({ length: 20 }, (_, index) => claim(index % 2 === 0 ? queue : other, 5)));
    const rest = await claim(queue);
    expect([...claimed.flat(), ...rest].sort()).toEqual(keys);
  });

  it('takes nothing of a session whose head another process has locked', async () => {
    await enqueue('a first', 'a', 1);
    await enqueue('a second', 'a', 2);
    await owner.begin(async (tx) => {
      await tx`select from dbos.workflow_status where workflow_uuid = 'a first' for update`;
      expect(await claim(queue)).toEqual([]);
    });
    expect(await claim(queue)).toEqual(['a first']);
  });

  it('finds what it has claimed when the answer was lost on the way', async () => {
    const cable = await layCable(testDatabase.databaseUrl);
    const cutOff = aProcess('cut off', cable.url);
    // The statement is known from here on: it then leaves in one piece, and runs though its sender is gone.
    await cutOff.claim(1);
    await enqueue('a', 'a');
    const failed = await owner.begin(async (tx) => {
      // Keeps the claim waiting until nobody is there to hear of it.
      await tx`lock table dbos.workflow_status in share mode`;
      const claiming = cutOff.claim(1).catch((error: unknown) => error);
      await eventually(async () => (await tx`select from pg_locks where not granted`).length > 0);
      await cable.cut();
      return claiming;
    });
    expect(failed).toBeInstanceOf(Error);
    await cable.mend();
    expect(await eventually(() => cutOff.claim(1))).toMatchObject({
      segments: [{ key: 'a', sessionId: 'a', workflow: 'segment', attempts: 1 }],
    });
    const [row] = await owner`select recovery_attempts, executor_id from dbos.workflow_status`;
    expect(row).toMatchObject({ recovery_attempts: '1', executor_id: 'cut off' });
    expect(await cutOff.claim(1)).toBeNull();
    await cutOff.close();
    await cable.close();
  });

  it('says of which sessions there is more to do, and whether the end before it is noted', async () => {
    for (const [key, session] of [
      ['a1', 'a'],
      ['b1', 'b'],
      ['c1', 'c'],
    ] as const)
      await enqueue(key, session);
    await queue.claim(3);
    await enqueue('a2', 'a');
    await enqueue('b2', 'b');
    await end('a1');
    await end('c1');
    const driven = ['a', 'b', 'c'].map((sessionId) => ({ key: `${sessionId}1`, sessionId }));
    expect((await queue.findFollowed(driven)).sort((x, y) => (x.key < y.key ? -1 : 1))).toEqual([
      { key: 'a1', isNoted: true },
      { key: 'b1', isNoted: false },
    ]);
  });
});
