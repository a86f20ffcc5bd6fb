import { randomBytes } from 'node:crypto';
import postgres from 'postgres';

export interface TestDatabase {
  /** The owner's address, as `DATABASE_URL` would be. */
  readonly databaseUrl: string;
  /** Ends every connection to it and removes it. */
  drop(): Promise<void>;
}

/**
 * A database of a test's own on the server that the integration project started, with every migration applied: a copy of
 * one that was migrated once. With `empty: true`, one without any migration. Throws outside the integration project.
 */
export async function createTestDatabase(options: { empty?: boolean } = {}): Promise<TestDatabase> {
  const migratedUrl = process.env.TEST_DATABASE_URL;
  if (!migratedUrl) throw new Error('createTestDatabase needs the integration project: name the file *.integration.test.ts');
  const name = `test_${randomBytes(6).toString('hex')}`;
  const template = options.empty ? 'template1' : new URL(migratedUrl).pathname.slice(1);
  await onServer(migratedUrl, (sql) => sql`create database ${sql(name)} template ${sql(template)}`);
  const url = new URL(migratedUrl);
  url.pathname = `/${name}`;
  return {
    databaseUrl: url.href,
    drop: () => onServer(migratedUrl, (sql) => sql`drop database if exists ${sql(name)} with (force)`),
  };
}

/** From the maintenance database, since nobody may be connected to one that is copied. */
async function onServer(someUrl: string, work: (sql: postgres.Sql) => Promise<unknown>): Promise<void> {
  const url = new URL(someUrl);
  url.pathname = '/postgres';
  const sql = postgres(url.href, { max: 1, onnotice: () => {} });
  try {
    await work(sql);
  } finally {
    await sql.end();
  }
}
