import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifies } from '#e2e/verifies.ts';
import { newId, systemClock, toUuid } from '#lib/kernel/index.ts';
import { createTestDatabase, type TestDatabase } from '#lib/testing/database.ts';
import { type Database, openDatabase } from './client.ts';
import { inOneRoundTrip } from './pipelined.ts';
import { createRightsReader } from './stores/member-rights-reader.ts';
import { createUnitOfWork } from './unit-of-work.ts';

/** One connection, so that whoever comes next gets the one that was used before. */
let testDatabase: TestDatabase;
let database: Database;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = openDatabase({ databaseUrl: testDatabase.databaseUrl, role: 'bailiwick_app', max: 1, name: 'test' });
});
afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

const scope = { tenantId: newId('tenant'), userId: newId('user') };
const ENTERED = { tenant: toUuid(scope.tenantId), user: toUuid(scope.userId) };
const READ = `select current_setting('app.tenant_id', true) as tenant, current_setting('app.user_id', true) as "user"`;

async function leftBehind() {
  const [raw] = await database.sql.unsafe(READ);
  const [orm] = await database.orm.execute(sql.raw(READ));
  return [raw, orm].flatMap((row) => [row?.tenant, row?.user]).filter(Boolean);
}

describe('the tenant of a connection', () => {
  verifies(['P-11', 'P-18'], 'is set for one unit of work, whether it ends well or not', async () => {
    const unitOfWork = createUnitOfWork(database.orm, systemClock);
    const entered = unitOfWork.within(scope, async ({ sessions }) => sessions.list({ cursor: null, limit: 1, q: null, archived: false }));
    expect(await entered).toEqual({ items: [], nextCursor: null });
    expect(await leftBehind()).toEqual([]);
    await expect(unitOfWork.within(scope, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await leftBehind()).toEqual([]);
  });

  verifies(['P-11', 'P-18'], 'is set for one round trip, whether it ends well or not', async () => {
    const [rows] = await inOneRoundTrip(database.sql, scope, (connection) => [connection.unsafe(READ)]);
    expect(rows).toEqual([ENTERED]);
    expect(await leftBehind()).toEqual([]);
    await expect(inOneRoundTrip(database.sql, scope, (connection) => [connection.unsafe('select no_such_column')])).rejects.toThrow(
      'no_such_column',
    );
    expect(await leftBehind()).toEqual([]);
  });

  it('is not left by reading somebody’s rights', async () => {
    const reader = createRightsReader({ sql: database.sql, clock: systemClock });
    await database.sql`insert into tenant (id, slug, name) values (${ENTERED.tenant}, 'acme', 'T')`;
    await reader.readBySignIn({ slug: 'acme', userId: scope.userId, signInSessionId: newId('signInSession') });
    await reader.readByApiKey({ slug: 'acme', hash: '0'.repeat(64) });
    await reader.readOfRun({ ...scope, apiKeyId: null });
    expect(await leftBehind()).toEqual([]);
  });
});
