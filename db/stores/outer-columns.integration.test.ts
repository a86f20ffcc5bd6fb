import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkpointThreadId } from '#lib/conversations/index.ts';
import { type Id, newId, systemClock, type TenantScope, toUuid } from '#lib/kernel/index.ts';
import { indexDocument } from '#lib/knowledge/index.ts';
import { createTestDatabase, type TestDatabase } from '#lib/testing/database.ts';
import { type Database, openDatabase } from '../client.ts';
import { createUnitOfWork } from '../unit-of-work.ts';

let testDatabase: TestDatabase;
let app: Database;
let owner: Database;
let scope: TenantScope & { userId: Id<'user'> };

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  const { databaseUrl } = testDatabase;
  app = openDatabase({ databaseUrl, role: 'bailiwick_app', max: 2, name: 'test' });
  owner = openDatabase({ databaseUrl, role: 'owner', max: 1, name: 'test' });
  scope = { tenantId: newId('tenant'), userId: newId('user') };
  await owner.sql`insert into tenant (id, slug, name) values (${toUuid(scope.tenantId)}, 't', 'T')`;
  await owner.sql`insert into app_user (id, email, name) values (${toUuid(scope.userId)}, 'ada@example.com', 'Ada')`;
});
afterAll(async () => {
  await Promise.all([app.close(), owner.close()]);
  await testDatabase.drop();
});

// Drizzle leaves the table's name out of a column in a query of one table: inside a sub-select the name then means a column
// of the inner table, and the comparison holds for every row or for none.
describe('a sub-select in a store', () => {
  it('finds the newest run of each session', async () => {
    const unitOfWork = createUnitOfWork(app.orm, systemClock);
    const [asked, quiet, first, newest] = [newId('session'), newId('session'), newId('run'), newId('run')];
    await unitOfWork.within(scope, async ({ sessions }) => {
      for (const id of [asked, quiet])
        await sessions.create({ id, preset: 'default', title: '', checkpointThreadId: checkpointThreadId(scope.tenantId, id) });
    });
    for (const [id, state] of [
      [first, 'FINISH_OK'],
      [newest, 'RUNNING'],
    ] as const)
      await owner.sql`
        insert into run (tenant_id, id, session_id, user_id, message_id, preset, input, locale, time_zone, state, time_limit_ms)
        values (${toUuid(scope.tenantId)}, ${toUuid(id)}, ${toUuid(asked)}, ${toUuid(scope.userId)}, ${toUuid(newId('message'))}, 'default', '', 'en', 'UTC', ${state}, 1000)`;
    await unitOfWork.within(scope, async ({ sessions }) => {
      expect((await sessions.find(asked))?.lastRun).toEqual({ id: newest, state: 'RUNNING' });
      expect((await sessions.find(quiet))?.lastRun).toBeNull();
    });
  });

  it('gives each document its own sections', async () => {
    const unitOfWork = createUnitOfWork(app.orm, systemClock);
    await unitOfWork.within(scope, async ({ documents }) => {
      for (const [title, section] of [
        ['Canteens', 'Breakfast'],
        ['Library', 'Opening hours'],
      ] as const) {
        const body = `# ${title}\n\n## ${section}\n\nFrom 7:30.`;
        const document = { id: newId('document'), title, language: 'en' as const, body };
        await documents.put({ document, chunks: indexDocument(title, body), expectedVersion: null });
      }
      const outlines = await documents.listOutlines(10);
      expect(outlines.map(({ title, sections }) => [title, sections.join(' / ')])).toEqual([
        ['Canteens', expect.stringContaining('Breakfast')],
        ['Library', expect.stringContaining('Opening hours')],
      ]);
    });
  });
});
