import { randomBytes } from 'node:crypto';
import postgres from 'postgres';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#lib/testing/database.ts';
import { migrate } from './migrate.ts';

let testDatabase: TestDatabase;
let superuser: postgres.Sql;
/** Owns the database, and may neither make roles nor act as those that other databases of the cluster have made. */
let owner: string;
let ownerUrl: string;

beforeEach(async () => {
  testDatabase = await createTestDatabase({ empty: true });
  superuser = postgres(process.env.TEST_DATABASE_URL ?? '', { max: 1, onnotice: () => undefined });
  owner = `owner_${randomBytes(6).toString('hex')}`;
  const url = new URL(testDatabase.databaseUrl);
  await superuser.unsafe(`create role ${owner} login password 'owner'`);
  await superuser.unsafe(`alter database ${url.pathname.slice(1)} owner to ${owner}`);
  ownerUrl = Object.assign(url, { username: owner, password: 'owner' }).href;
});
afterEach(async () => {
  await testDatabase.drop();
  await superuser.unsafe(`drop role ${owner}`);
  await superuser.end();
});

describe('migrate', () => {
  it('says which command mends an owner that may not act as the roles', async () => {
    const command = `grant bailiwick_app, bailiwick_engine, bailiwick_platform to "${owner}"`;
    await expect(migrate({ databaseUrl: ownerUrl })).rejects.toThrow(
      `The database user "${owner}" may not act as "bailiwick_app". Run as a superuser: ${command}; then start again.`,
    );
    await superuser.unsafe(command);
    await expect(migrate({ databaseUrl: ownerUrl })).resolves.toBeUndefined();
  });

  it('is content with an owner that may make roles, and may be repeated', async () => {
    await superuser.unsafe(`alter role ${owner} createrole`);
    await superuser.unsafe(`grant bailiwick_app, bailiwick_engine, bailiwick_platform to ${owner} with admin option`);
    await migrate({ databaseUrl: ownerUrl });
    await expect(migrate({ databaseUrl: ownerUrl })).resolves.toBeUndefined();
  });
});
