import postgres from 'postgres';
import { describe, expect, it } from 'vitest';
import { createTestDatabase } from '#lib/testing/database.ts';
import { migrate } from './migrate.ts';

describe('migrate', () => {
  it('says which command mends a user that may not create roles or act as them', async () => {
    const testDatabase = await createTestDatabase({ empty: true });
    const name = new URL(testDatabase.databaseUrl).pathname.slice(1);
    const superuser = postgres(testDatabase.databaseUrl, { max: 1, onnotice: () => undefined });
    const weak = `weak_${name}`;
    const asWeak = new URL(testDatabase.databaseUrl);
    Object.assign(asWeak, { username: weak, password: 'weak' });
    try {
      await superuser.unsafe(
        `create role ${weak} login password 'weak'; grant all on database ${name} to ${weak}; grant all on schema public to ${weak}`,
      );
      await expect(migrate({ databaseUrl: asWeak.href })).rejects.toThrow(
        /^The database user "weak_\w+" may not .*(alter role|grant bailiwick_app to).* then start again\.$/,
      );
    } finally {
      await superuser.end();
      await testDatabase.drop();
      const server = postgres(process.env.TEST_DATABASE_URL ?? '', { max: 1 });
      await server.unsafe(`drop role ${weak}`);
      await server.end();
    }
  });
});
