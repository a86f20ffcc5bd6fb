import postgres from 'postgres';
import { afterEach, describe, expect, it } from 'vitest';
import { createTestDatabase } from './database.ts';

const connections: postgres.Sql[] = [];
const open = (url: string) => {
  const sql = postgres(url, { max: 1 });
  connections.push(sql);
  return sql;
};
afterEach(async () => {
  await Promise.all(connections.splice(0).map((sql) => sql.end()));
});

const countTables = async (url: string) => {
  const [row] = await open(url)`select count(*)::int as tables from pg_tables where schemaname = 'public'`;
  return Number(row?.tables);
};

describe('createTestDatabase', () => {
  it('gives every caller a migrated database of its own', async () => {
    const [first, second] = await Promise.all([createTestDatabase(), createTestDatabase()]);
    try {
      expect(await countTables(first.databaseUrl)).toBeGreaterThan(0);
      await open(first.databaseUrl)`create table only_here (id int)`;
      expect(await countTables(second.databaseUrl)).toBe((await countTables(first.databaseUrl)) - 1);
    } finally {
      await Promise.all([first.drop(), second.drop()]);
    }
  });

  it('gives an empty one to those who test the migrations themselves', async () => {
    const database = await createTestDatabase({ empty: true });
    try {
      expect(await countTables(database.databaseUrl)).toBe(0);
    } finally {
      await database.drop();
    }
  });

  it('drops a database that is still in use', async () => {
    const database = await createTestDatabase();
    const sql = open(database.databaseUrl);
    await sql`select 1`;
    await database.drop();
    await expect(open(database.databaseUrl)`select 1`).rejects.toThrow(/does not exist/);
  });
});
