import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#lib/testing/database.ts';
import { eventually } from '#lib/testing/run-lab.ts';
import { prepareEngine } from './prepare-engine.ts';
import { startTakeover, type Takeover } from './takeover.ts';

const TICK_MS = 50;

let testDatabase: TestDatabase;
let owner: postgres.Sql;
const started: Takeover[] = [];

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  await prepareEngine({ databaseUrl: testDatabase.databaseUrl });
  owner = postgres(testDatabase.databaseUrl, { max: 1, onnotice: () => undefined });
});
afterEach(async () => {
  for (const takeover of started.splice(0)) await takeover.stop();
  await owner`delete from dbos.workflow_status`;
});
afterAll(async () => {
  await owner.end();
  await testDatabase.drop();
});

/** A process as its peers see it: the lock that it holds, and the segments that it has claimed. */
async function aProcess(executorId: string, tickMs = TICK_MS) {
  const recovered: string[] = [];
  const live: number[] = [];
  const takeover = await startTakeover({
    databaseUrl: testDatabase.databaseUrl,
    executorId,
    applicationVersion: '1',
    tickMs,
    recover: async (deadExecutorId) => void recovered.push(deadExecutorId),
    onLiveCount: async (count) => void live.push(count),
    onError: () => undefined,
  });
  started.push(takeover);
  return { recovered, live, die: () => takeover.stop() };
}

const claim = (executorId: string, status = 'PENDING') =>
  owner`insert into dbos.workflow_status (workflow_uuid, status, executor_id, application_version) values (${`of ${executorId} ${status}`}, ${status}, ${executorId}, '1')`;
const ticks = (count: number, tickMs = TICK_MS) => sleep(count * tickMs + 25);

describe('startTakeover', () => {
  it('takes over from a process whose lock was free on two looks in a row, and not before', async () => {
    await claim('dead');
    const { recovered } = await aProcess('living');
    expect(recovered).toEqual([]);
    await eventually(() => recovered.length > 0);
    expect(new Set(recovered)).toEqual(new Set(['dead']));
  });

  it('leaves a process alone that was seen without its lock once: it may only have lost its connection', async () => {
    // Slow enough for the other one to be back at the second look, on a busy machine too.
    const slow = 500;
    await claim('other');
    const { recovered } = await aProcess('living', slow);
    const other = await aProcess('other', slow);
    await ticks(3, slow);
    expect(recovered).toEqual([]);
    await other.die();
    await eventually(() => recovered.includes('other'));
  });

  it('trusts the others for a while when it has lost its own connection, as all do when the database restarts', async () => {
    const slow = 300;
    const { recovered } = await aProcess('living', slow);
    await claim('other');
    await owner`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'bailiwick lock living' and datname = current_database()`;
    await ticks(3, slow);
    expect(recovered).toEqual([]);
    await eventually(() => recovered.includes('other'));
  });

  it('leaves alone what is not claimed, and what it has claimed itself', async () => {
    await claim('gone', 'ENQUEUED');
    await claim('finished', 'SUCCESS');
    await claim('living');
    const { recovered } = await aProcess('living');
    await ticks(4);
    expect(recovered).toEqual([]);
  });

  it('knows how many processes there are', async () => {
    const first = await aProcess('first');
    const second = await aProcess('second');
    await eventually(() => first.live.at(-1) === 2);
    await second.die();
    await eventually(() => first.live.at(-1) === 1);
    expect(first.live).toEqual([1, 2, 1]);
  });
});
