import type { Row, Sql } from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId, type TenantScope, toUuid } from '#lib/kernel/index.ts';
import { createTestDatabase, type TestDatabase } from '#lib/testing/database.ts';
import { openSql } from './client.ts';
import { afterFirstLook, readTogether } from './pipelined.ts';

let testDatabase: TestDatabase;
let sql: Sql;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
  sql = openSql({ databaseUrl: testDatabase.databaseUrl, role: 'bailiwick_app', max: 3, name: 'pipelined' });
});
afterAll(async () => {
  await sql.end();
  await testDatabase.drop();
});

const aScope = () => ({ tenantId: newId('tenant'), userId: newId('user') });

/** In which transaction it was read, and as whom. */
const look = async (scope: TenantScope) => {
  const [[row]] = await readTogether(sql, scope, (tx) => [
    tx`select pg_backend_pid() || ' ' || now() as transaction, current_setting('app.tenant_id') as tenant, current_setting('app.user_id') as person`,
  ]);
  return { transaction: String(row?.transaction), tenant: String(row?.tenant), person: String(row?.person) };
};

describe('readTogether', () => {
  it('reads in one transaction what is asked of one tenant and person in one turn of the event loop', async () => {
    const scope = aScope();
    const found = await Promise.all(Array.from({ length: 5 }, () => look(scope)));
    expect(new Set(found.map(({ transaction }) => transaction)).size).toBe(1);
    expect(found[4]).toMatchObject({ tenant: toUuid(scope.tenantId), person: toUuid(scope.userId) });
    expect((await look(scope)).transaction).not.toBe(found[0]?.transaction);
  });

  it('never reads for one tenant or person in the transaction of another', async () => {
    const [scope, colleague, stranger] = [aScope(), aScope(), aScope()];
    const scopes = [scope, { ...colleague, tenantId: scope.tenantId }, stranger, { tenantId: scope.tenantId }];
    const found = await Promise.all(scopes.map(look));
    expect(new Set(found.map(({ transaction }) => transaction)).size).toBe(4);
    expect(found.map(({ tenant, person }) => ({ tenant, person }))).toEqual(
      scopes.map((each) => ({ tenant: toUuid(each.tenantId), person: 'userId' in each ? toUuid(each.userId) : '' })),
    );
  });

  it('fails the read that cannot be done, and no other', async () => {
    const scope = aScope();
    const results = await Promise.allSettled([
      look(scope),
      readTogether(sql, scope, (tx) => [tx`select 1 / ${0}::int`]),
      readTogether(sql, scope, (tx) => [tx`select 1 as n`, tx`select 2 as n`]),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(results[2]).toMatchObject({ value: [[{ n: 1 }], [{ n: 2 }]] });
  });
});

describe('afterFirstLook', () => {
  it('commits what the work wrote, and nothing of it when the work throws', async () => {
    const scope = aScope();
    const owner = openSql({ databaseUrl: testDatabase.databaseUrl, role: 'owner', max: 1, name: 'pipelined owner' });
    await owner`create table note (text text)`;
    await owner`grant all on note to bailiwick_app`;
    const write = (text: string, isRefused: boolean) =>
      afterFirstLook(
        sql,
        scope,
        (tx) => [tx`select current_setting('app.tenant_id') as tenant`],
        async (tx, [[first]]) => {
          await tx`insert into note values (${`${text} ${first?.tenant}`})`;
          if (isRefused) throw new Error('refused');
          return [[tx`insert into note values (${`${text} last`}) returning text`], ([last]: Row[][]) => last?.[0]?.text];
        },
      );
    expect(await write('kept', false)).toBe('kept last');
    await expect(write('dropped', true)).rejects.toThrow('refused');
    const failsLast = afterFirstLook(
      sql,
      scope,
      (tx) => [tx`select 1`],
      async (tx) => [[tx`insert into note values ('beside')`, tx`select 1 / ${0}::int`, tx`select 1`], () => 'never'],
    );
    await expect(failsLast).rejects.toThrow('division by zero');
    expect(await owner`select text from note`).toEqual([{ text: `kept ${toUuid(scope.tenantId)}` }, { text: 'kept last' }]);
    await owner.end();
  });

  it('leaves a connection as it was when a statement fails while others are on their way', async () => {
    const failed = afterFirstLook(
      sql,
      aScope(),
      (tx) => [tx`select 1 / ${0}::int`, tx`select 1`],
      async () => [[], () => 'never'],
    );
    await expect(failed).rejects.toThrow('division by zero');
    for (let look = 0; look < 5; look += 1)
      expect(await sql`select current_setting('app.tenant_id', true) as tenant`).toEqual([{ tenant: '' }]);
  });
});
