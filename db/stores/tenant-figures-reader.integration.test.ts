import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TIME_ZONE, WORKSPACE } from '#e2e/qa-sim/workspace.ts';
import { fromUuid, type Id, newId, toUuid } from '#lib/kernel/index.ts';
import type { FiguresQuery, TenantFigures } from '#lib/plugins/index.ts';
import { createTestDatabase, type TestDatabase } from '#lib/testing/database.ts';
import { figuresOf } from '#lib/testing/recorded-workspace.ts';
import { storeWorkspace } from '#lib/testing/store-workspace.ts';
import { type Database, openDatabase } from '../client.ts';
import { createTenantFiguresReader } from './tenant-figures-reader.ts';

let testDatabase: TestDatabase;
let database: Database;
let owner: postgres.Sql;
let stored: TenantFigures;
let here: Awaited<ReturnType<typeof storeWorkspace>>;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = openDatabase({ databaseUrl: testDatabase.databaseUrl, role: 'bailiwick_app', max: 2, name: 'figures' });
  owner = postgres(testDatabase.databaseUrl, { max: 2, onnotice: () => undefined });
  stored = createTenantFiguresReader(database.sql);
  here = await storeWorkspace(owner, WORKSPACE);
  // Another workspace with the same on record: none of it may be counted here.
  await storeWorkspace(owner, WORKSPACE);
});
afterAll(async () => {
  await database.close();
  await owner.end();
  await testDatabase.drop();
});

const idOf = (name: string): Id<'user'> => here.people.get(name) ?? expect.fail(`no ${name}`);

function query(change: Partial<FiguresQuery> = {}): FiguresQuery {
  return {
    scope: { tenantId: here.tenantId, userId: idOf('Bo') },
    from: null,
    to: null,
    ownOnly: false,
    timeZone: TIME_ZONE,
    exceptRunId: newId('run'),
    ...change,
  };
}

const PERIODS: readonly [string, Partial<FiguresQuery>][] = [
  ['all of it', {}],
  ['from Monday here, which is Sunday in UTC', { from: new Date('2026-11-15T16:00:00Z') }],
  ['one week', { from: new Date('2026-11-08T16:00:00Z'), to: new Date('2026-11-15T16:00:00Z') }],
  ['one’s own', { ownOnly: true }],
  ['a time without anything', { from: new Date('2030-01-01T00:00:00Z') }],
];

/** Ids of people are only known to the database. */
const withoutIds = (figures: object) =>
  JSON.parse(
    JSON.stringify(figures, (key, value) => (key === 'byPerson' ? value.map(({ key: _id, ...rest }: { key: string }) => rest) : value)),
  );

describe('createTenantFiguresReader', () => {
  it.each(PERIODS)('comes to the same as counting by hand: %s', async (_name, change) => {
    const counted = figuresOf(WORKSPACE, 'Bo');
    for (const kind of ['runs', 'calls', 'members', 'documents', 'usage'] as const)
      expect({ kind, ...withoutIds(await stored[kind](query(change))) }).toEqual({
        kind,
        ...withoutIds(await counted[kind](query(change))),
      });
  });

  it('does not count the run that asks, nor what another workspace has', async () => {
    const [row] = await owner`select id from run where tenant_id = ${toUuid(here.tenantId)} limit 1`;
    expect((await stored.runs(query())).total).toBe(WORKSPACE.runs.length);
    expect((await stored.runs(query({ exceptRunId: fromUuid('run', String(row?.id)) }))).total).toBe(WORKSPACE.runs.length - 1);
    expect((await stored.members(query({ scope: { tenantId: newId('tenant'), userId: idOf('Bo') } }))).total).toBe(0);
  });

  it('counts a member again only once they may act here', async () => {
    await owner`update tenant_member set disabled_at = now() where tenant_id = ${toUuid(here.tenantId)} and user_id = ${toUuid(idOf('Chen'))}`;
    expect((await stored.members(query())).total).toBe(3);
    await owner`update tenant_member set disabled_at = null where tenant_id = ${toUuid(here.tenantId)}`;
    expect((await stored.members(query())).total).toBe(4);
  });
});
