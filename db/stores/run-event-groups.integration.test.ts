import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Id, newId, toUuid } from '#lib/kernel/index.ts';
import type { RunEventEntry, RunKey } from '#lib/supervisor/index.ts';
import { createTestDatabase, type TestDatabase } from '#lib/testing/database.ts';
import { openSql } from '../client.ts';
import { createRunEventBus } from './run-event-bus.ts';
import { createRunEventGroups, type RunEventGroups } from './run-event-groups.ts';

let testDatabase: TestDatabase;
let app: Sql;
let owner: Sql;
let groups: RunEventGroups;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  app = openSql({ databaseUrl: testDatabase.databaseUrl, role: 'bailiwick_app', max: 3, name: 'groups' });
  owner = openSql({ databaseUrl: testDatabase.databaseUrl, role: 'owner', max: 1, name: 'test' });
  groups = createRunEventGroups({ sql: app, bus: createRunEventBus(app) });
});
afterAll(async () => {
  await Promise.all([app.end(), owner.end()]);
  await testDatabase.drop();
});

/** Runs of one tenant that are going on, as their drivers know them. */
async function someRuns(count: number): Promise<RunKey[]> {
  const [tenantId, userId, sessionId] = [newId('tenant'), newId('user'), newId('session')];
  const [tenant, user, session] = [tenantId, userId, sessionId].map(toUuid);
  if (!tenant || !user || !session) throw new Error('no ids');
  await owner`insert into tenant (id, slug, name) values (${tenant}, ${tenantId.slice(-20)}, 'T')`;
  await owner`insert into app_user (id, email, name) values (${user}, ${`${userId}@example.com`}, 'Ada')`;
  await owner`
    insert into agent_session (tenant_id, id, user_id, preset, state, title, checkpoint_thread_id)
    values (${tenant}, ${session}, ${user}, 'default', 'IDLE', '', ${sessionId})`;
  return Promise.all(
    Array.from({ length: count }, async () => {
      const runId = newId('run');
      await owner`
        insert into run (tenant_id, id, session_id, user_id, message_id, preset, input, locale, time_zone, state, epoch, event_seq, time_limit_ms)
        values (${tenant}, ${toUuid(runId)}, ${session}, ${user}, ${toUuid(newId('message'))}, 'default', 'hello', 'en', 'UTC', 'RUNNING', 1, 5, 1000)`;
      return { tenantId, sessionId, runId, epoch: 1 };
    }),
  );
}

const said = (...texts: string[]): RunEventEntry[] =>
  texts.map((text) => ({ type: 'text-delta', at: new Date(), payload: { step: 0, attempt: 1, text } }));
const logOf = async (runId: Id<'run'>) =>
  (await owner`select seq, payload->>'text' as text, xmin::text as commit from run_event where run_id = ${toUuid(runId)} order by seq`).map(
    (row) => ({
      seq: Number(row.seq),
      text: String(row.text),
      commit: String(row.commit),
    }),
  );
const textsOf = async (runId: Id<'run'>) => (await logOf(runId)).map(({ seq, text }) => `${seq} ${text}`);

describe('events of many runs', () => {
  it('leave at once when they come alone, and together when they come while others are on their way', async () => {
    const runs = await someRuns(30);
    const first = await Promise.all(
      runs.map(({ runId, ...key }, index) => groups.append({ ...key, runId }, said(`a${index}`, `b${index}`))),
    );
    expect(first).toEqual(runs.map(() => 6));
    for (const [index, { runId }] of runs.entries()) expect(await textsOf(runId)).toEqual([`6 a${index}`, `7 b${index}`]);
    const commits = await Promise.all(runs.map(async ({ runId }) => (await logOf(runId))[0]?.commit));
    // The first alone, the others in one commit.
    expect(new Set(commits).size).toBe(2);
  });

  it('wait for each other when a group has only just left', async () => {
    const patient = createRunEventGroups({ sql: app, bus: createRunEventBus(app), everyMs: 300 });
    const [first, second, third] = await someRuns(3);
    if (!first || !second || !third) throw new Error('no runs');
    await patient.append(first, said('hello'));
    const waiting = patient.append(second, said('hello'));
    await sleep(50);
    await Promise.all([waiting, patient.append(third, said('hello'))]);
    const commits = await Promise.all([first, second, third].map(async ({ runId }) => (await logOf(runId)).at(-1)?.commit));
    expect(commits[1]).toBe(commits[2]);
    expect(commits[0]).not.toBe(commits[1]);
  });

  it('are refused of the run that another drives, that has ended, or that is another tenant’s, and of no other', async () => {
    const [taken, ended, good, foreign, last] = await someRuns(5);
    const [other] = await someRuns(1);
    if (!taken || !ended || !good || !foreign || !last || !other) throw new Error('no runs');
    await owner`update run set epoch = 2 where id = ${toUuid(taken.runId)}`;
    await owner`update run set state = 'FINISH_OK' where id = ${toUuid(ended.runId)}`;
    const appended = await Promise.all(
      [last, taken, ended, good, { ...foreign, tenantId: other.tenantId }].map((key) => groups.append(key, said('hello'))),
    );
    expect(appended).toEqual([6, null, null, 6, null]);
    for (const { runId } of [taken, ended, foreign]) expect(await textsOf(runId)).toEqual([]);
    expect(await textsOf(good.runId)).toEqual(['6 hello']);
  });

  it('are written although those of another run in the same group cannot be', async () => {
    const [ahead, broken, good] = await someRuns(3);
    if (!ahead || !broken || !good) throw new Error('no runs');
    const noInstant = said('hello').map((event) => ({ ...event, at: null as never }));
    const results = await Promise.allSettled([
      groups.append(ahead, said('hello')),
      groups.append(broken, noInstant),
      groups.append(good, said('hello')),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await textsOf(good.runId)).toEqual(['6 hello']);
  });
});
