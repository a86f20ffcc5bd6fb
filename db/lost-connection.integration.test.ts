import postgres from 'postgres';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isAppError, newId } from '#lib/kernel/index.ts';
import { createTestDatabase, type TestDatabase } from '#lib/testing/database.ts';
import { layCable } from '#lib/testing/database-cable.ts';
import { type Database, openDatabase } from './client.ts';
import { inOneRoundTrip } from './pipelined.ts';

/** What a restart of the database, or a network between, does to connections in use. A process outlives it. */
describe('a connection that is lost', () => {
  let testDatabase: TestDatabase;
  let database: Database;
  let killer: postgres.Sql;

  beforeEach(async () => {
    testDatabase = await createTestDatabase();
    database = openDatabase({ databaseUrl: testDatabase.databaseUrl, role: 'bailiwick_app', max: 1, name: 'lost' });
    killer = postgres(testDatabase.databaseUrl, { max: 1 });
  });

  afterEach(async () => {
    await database.close();
    await killer.end();
    await testDatabase.drop();
  });

  const breakAll = () =>
    killer`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name like 'bailiwick lost%'`;

  it('fails its transaction, whose rollback has nowhere to go, and the next one works', async () => {
    const transaction = database.sql.begin(async (tx) => {
      await tx`select 1`;
      await breakAll();
      await tx`select 2`;
    });
    await expect(transaction).rejects.toThrow(/CONNECTION_CLOSED|ECONNRESET|EPIPE|terminating connection/);
    expect(await database.sql.begin((tx) => tx`select 3 as n`)).toEqual([{ n: 3 }]);
  });

  it('fails a transaction of one round trip as unavailable, and the next one works', async () => {
    const scope = { tenantId: newId('tenant') };
    const slow = inOneRoundTrip(database.sql, scope, (tx) => [tx`select pg_sleep(30)`, tx`select ${1}::int as n`]);
    const failed = slow.catch((error: unknown) => error);
    await untilAsleep(killer);
    await breakAll();
    expect(await failed).toSatisfy((error: unknown) => isAppError(error) && error.code === 'unavailable');
    for (const n of [1, 2, 3]) {
      const [rows] = await inOneRoundTrip(database.sql, scope, (tx) => [tx`select ${n}::int as n`]);
      expect(rows).toEqual([{ n }]);
    }
  });

  it('costs a busy pool neither a connection nor an answer, however often all of them are lost', { timeout: 60_000 }, async () => {
    const busy = openDatabase({ databaseUrl: testDatabase.databaseUrl, role: 'bailiwick_app', max: 4, name: 'lost' });
    const scope = { tenantId: newId('tenant') };
    let isOver = false;
    const unanswered = new Set<string>();
    const again = async (name: string, work: () => Promise<unknown>) => {
      while (!isOver) {
        unanswered.add(name);
        await work().catch(() => new Promise((resolve) => setTimeout(resolve, 5)));
        unanswered.delete(name);
      }
    };
    const work = Array.from({ length: 4 }, (_, lane) => [
      again(`statement ${lane}`, async () => busy.sql`select ${lane}::int`),
      again(`transaction ${lane}`, () => busy.sql.begin(async (tx) => [await tx`select ${lane}::int`, await tx`select pg_sleep(0.002)`])),
      again(`round trip ${lane}`, () => inOneRoundTrip(busy.sql, scope, (tx) => [tx`select ${lane}::int`, tx`select pg_sleep(0.002)`])),
    ]).flat();
    for (let loss = 0; loss < 25; loss += 1) {
      await new Promise((resolve) => setTimeout(resolve, 60));
      await breakAll();
    }
    isOver = true;
    await Promise.race([Promise.all(work), new Promise((resolve) => setTimeout(resolve, 8_000))]);
    expect([...unanswered]).toEqual([]);
    // The driver waits before it connects anew.
    let used = 0;
    for (let attempt = 0; used < 4 && attempt < 20; attempt += 1) {
      const rows = await Promise.all(Array.from({ length: 16 }, () => busy.sql`select pg_backend_pid() as pid, pg_sleep(0.05)`));
      used = new Set(rows.map(([row]) => row?.pid)).size;
    }
    expect(used).toBe(4);
    await busy.close();
  });

  it('is back within seconds of an outage, on every channel too, however many had tried meanwhile', { timeout: 60_000 }, async () => {
    const cable = await layCable(testDatabase.databaseUrl);
    const cutOff = openDatabase({ databaseUrl: cable.url, role: 'bailiwick_app', max: 8, name: 'outage' });
    const channels = ['one', 'two', 'three'];
    const heard = new Set<string>();
    for (const channel of channels) await cutOff.sql.listen(channel, () => heard.add(channel));
    await cable.cut();
    for (let attempt = 0; attempt < 60; attempt += 1) {
      await Promise.allSettled([cutOff.sql`select 1`, new Promise((resolve) => setTimeout(resolve, 25))]);
    }
    await cable.mend();
    const mendedAt = Date.now();
    await cutOff.sql`select 1`.catch(() => undefined);
    heard.clear();
    while (heard.size < channels.length && Date.now() - mendedAt < 20_000) {
      for (const channel of channels) await killer.notify(channel, '');
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect([...heard].sort()).toEqual([...channels].sort());
    expect(Date.now() - mendedAt).toBeLessThan(3_000);
    await cutOff.close();
    await cable.close();
  });

  it('is what a process comes to that stops in the middle of a transaction', async () => {
    expect(await database.sql`show idle_in_transaction_session_timeout`).toEqual([{ idle_in_transaction_session_timeout: '10s' }]);
  });

  it('is no reason to end a transaction of one round trip otherwise than as unavailable when none can be opened', async () => {
    const unreachable = openDatabase({ databaseUrl: 'postgres://nobody@127.0.0.1:1/none', role: 'bailiwick_app', max: 1, name: 'none' });
    const attempt = inOneRoundTrip(unreachable.sql, { tenantId: newId('tenant') }, (tx) => [tx`select 1`]);
    await expect(attempt).rejects.toMatchObject({ code: 'unavailable' });
    await unreachable.close();
  });
});

async function untilAsleep(sql: postgres.Sql): Promise<void> {
  for (;;) {
    const rows =
      await sql`select 1 from pg_stat_activity where datname = current_database() and query like '%pg_sleep%' and state = 'active' and pid <> pg_backend_pid()`;
    if (rows.length > 0) return;
  }
}
