import type { Sql } from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSql } from '#db/client.ts';
import { childrenFirst, createOperatorStore, createPurgeStore } from '#db/operator-queries.ts';
import { PROBES, seedParents } from '#db/row-level-security-probes.ts';
import { type Id, toUuid } from '#lib/kernel/index.ts';
import { type Account, listOperatedTenants, listOwnPurges, purgeTenants, suspendTenant } from '#lib/tenancy/index.ts';
import { codeOf, createTenancyWorld, type Person, type TenancyWorld } from '#lib/testing/tenancy-world.ts';

let world: TenancyWorld;
let platform: Sql;
let operator: Account;
let kept: Awaited<ReturnType<TenancyWorld['addTenant']>>;

beforeAll(async () => {
  world = await createTenancyWorld();
  platform = openSql({ databaseUrl: world.config.databaseUrl, role: 'bailiwick_platform', max: 2, name: 'test platform' });
  kept = await world.addTenant('kept');
  operator = await accountOf(kept.owner);
});
afterAll(async () => {
  await platform.end();
  await world.close();
});

const accountOf = async (person: Person): Promise<Account> =>
  world.tenancy.getAccount({ kind: 'sign-in', ...(await world.signIn(person)) });

/** What of each table names the tenant in any column: how many rows. Found in the schema, so that no new table is forgotten. */
async function rowsNaming(tenantId: Id<'tenant'>): Promise<Record<string, number>> {
  const tables =
    await world.owner`select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') order by 1`;
  const found: Record<string, number> = {};
  for (const { name } of tables) {
    const [row] = await world.owner`
      select count(*)::int as rows from ${world.owner(String(name))} t
      where position(${toUuid(tenantId)} in row_to_json(t)::text) > 0 or position(${tenantId} in row_to_json(t)::text) > 0`;
    if (Number(row?.rows) > 0) found[String(name)] = Number(row?.rows);
  }
  return found;
}

/** A row in every table that tenants have. */
async function fill(tenantId: Id<'tenant'>): Promise<void> {
  await world.database.sql.begin(async (tx) => {
    const id = toUuid(tenantId);
    await tx`select set_config('app.tenant_id', ${id}, true)`;
    const parents = await seedParents(tx, id);
    for (const [table, probe] of Object.entries(PROBES)) await tx`insert into ${tx(table)} ${tx(probe(id, parents))}`;
  });
}

const purge = (forgotten: string[] = []) =>
  purgeTenants({
    clock: world.clock,
    purges: createPurgeStore(platform),
    forgetRuns: async (runs) => void forgotten.push(...runs.map(({ id }) => id)),
  })();

describe('deleting a workspace', () => {
  it('closes it at once, and then leaves no row of it in any table, and every row of others', async () => {
    const gone = await world.addTenant('gone');
    await fill(gone.tenantId);
    await fill(kept.tenantId);
    const { key } = await world.tenancy.createApiKey(gone.actor, { name: 'k', scopes: ['tenant:read'] });
    const others = await rowsNaming(kept.tenantId);
    expect(Object.keys(others).length).toBeGreaterThan(20);
    expect(await codeOf(world.tenancy.deleteTenant(gone.actor, { confirm: 'kept' }))).toBe('invalid_request');
    await world.tenancy.deleteTenant(gone.actor, { confirm: 'gone' });
    expect(await codeOf(world.actorOf('gone', gone.owner))).toBe('not_found');
    expect(key).toBeTruthy();

    const account = await accountOf(gone.owner);
    const own = listOwnPurges({ operatorStore: createOperatorStore(platform) });
    expect((await own(account)).items).toMatchObject([{ slug: 'gone', totalRows: null, purgedRows: 0, finishedAt: null }]);
    const forgotten: string[] = [];
    await purge(forgotten);
    expect(forgotten.length).toBeGreaterThan(0);
    // What stays is the platform's record that it was there.
    expect(Object.keys(await rowsNaming(gone.tenantId)).sort()).toEqual(['platform_audit', 'tenant_purge']);
    expect(await rowsNaming(kept.tenantId)).toEqual(others);
    const [done] = (await own(account)).items;
    expect(done).toMatchObject({ finishedAt: expect.any(String), totalRows: done?.purgedRows });
    expect(done?.purgedRows).toBeGreaterThan(20);
    const events = await world.owner`select type, payload from platform_audit where target_id = ${gone.tenantId} order by id`;
    expect(events.map(({ type }) => type)).toEqual(['tenant.deleted', 'tenant.purged']);
    expect(JSON.parse(String(events[0]?.payload))).toMatchObject({
      actor: { kind: 'user', id: gone.owner.userId },
      details: { slug: 'gone' },
    });
    // The people stay, and so does the address: free to be taken again.
    expect((await world.signIn(gone.owner)).userId).toBe(gone.owner.userId);
    expect((await world.addTenant('gone')).slug).toBe('gone');
  }, 120_000);

  it('is the owner’s, or an operator’s', async () => {
    const { actor, tenantId } = await world.addTenant('mine');
    const admin = await world.actorOf('mine', await world.addPerson(actor, 'admin'));
    expect(await codeOf(world.tenancy.deleteTenant(admin, { confirm: 'mine' }))).toBe('permission_denied');
    const stranger = { ...operator, isOperator: false };
    expect(await codeOf(world.tenancy.deleteTenantAsOperator(stranger, { tenantId, confirm: 'mine' }))).toBe('permission_denied');
    await world.tenancy.deleteTenantAsOperator(operator, { tenantId, confirm: 'mine' });
    expect(await codeOf(world.tenancy.deleteTenantAsOperator(operator, { tenantId, confirm: 'mine' }))).toBe('not_found');
  });

  it('is refused by the database for a workspace that lives', async () => {
    const store = createPurgeStore(platform);
    await expect(store.removeRows('agent_session', kept.tenantId, 10)).rejects.toThrow('closed tenant');
    await expect(world.database.sql`select bailiwick_purge_rows('run', ${toUuid(kept.tenantId)}, 10)`).rejects.toThrow('permission denied');
  });

  it('removes children before what they refer to', async () => {
    const ordered = await createPurgeStore(platform).listTables();
    for (const [child, parent] of [
      ['invocation_transition', 'invocation'],
      ['invocation', 'run'],
      ['run', 'agent_session'],
      ['tenant_member', 'role'],
      ['invitation_hash', 'invitation'],
    ] as const)
      expect(ordered.indexOf(child), `${child} before ${parent}`).toBeLessThan(ordered.indexOf(parent));
    expect(
      childrenFirst(
        ['a', 'b'],
        [
          { child: 'a', parent: 'b' },
          { child: 'b', parent: 'a' },
        ],
      ),
    ).toEqual(['a', 'b']);
  });
});

describe('an operator', () => {
  it('sees counts of every workspace, and makes one whose owner comes in by a link', async () => {
    const list = listOperatedTenants({ operatorStore: createOperatorStore(platform) });
    expect(await codeOf(list({ ...operator, isOperator: false }))).toBe('permission_denied');
    expect(await codeOf(world.tenancy.createTenant({ ...operator, isOperator: false }, { name: 'X', slug: 'x' }))).toBe(
      'permission_denied',
    );
    expect(await codeOf(world.tenancy.createTenant(operator, { name: 'X', slug: 'api' }))).toBe('slug_taken');
    const made = await world.tenancy.createTenant(operator, { name: 'Fresh', slug: 'fresh' });
    const token = made.url.split('/').at(-1) ?? '';
    const person = { name: 'First', email: 'first@fresh.test', password: 'correct horse battery' };
    expect(await world.tenancy.acceptInvitation({ token, person }, { account: null, ip: '192.0.2.9' })).toEqual({ slug: 'fresh' });
    const { items } = await list(operator);
    expect(items.find(({ slug }) => slug === 'fresh')).toMatchObject({ members: 1, runs: 0, documents: 0, suspendedAt: null });
    expect(items.find(({ slug }) => slug === 'kept')).toMatchObject({ runs: expect.any(Number), documents: expect.any(Number) });
    expect(Object.keys(items[0] ?? {})).not.toContain('settings');
  });

  it('suspends a workspace: its people are told, its keys are refused, its runs are stopped; and lets it go on', async () => {
    const shut = await world.addTenant('shut');
    await fill(shut.tenantId);
    const suspend = suspendTenant({
      clock: world.clock,
      unitOfWork: world.unitOfWork,
      stopRuns: (...of) => createPurgeStore(platform).stopRuns(...of),
    });
    const { key } = await world.tenancy.createApiKey(shut.actor, { name: 'k', scopes: ['tenant:read'] });
    expect(await codeOf(suspend({ ...operator, isOperator: false }, { tenantId: shut.tenantId, suspended: true }))).toBe(
      'permission_denied',
    );
    await suspend(operator, { tenantId: shut.tenantId, suspended: true });
    await suspend(operator, { tenantId: shut.tenantId, suspended: true });
    expect(await codeOf(world.actorOf('shut', shut.owner))).toBe('tenant_suspended');
    expect(await codeOf(world.tenancy.actorOfRun({ tenantId: shut.tenantId, userId: shut.owner.userId, apiKeyId: null }))).toBe(
      'permission_denied',
    );
    const [open] = await world.owner`
      select count(*)::int as left from run where tenant_id = ${toUuid(shut.tenantId)} and state in ('QUEUED', 'RUNNING') and cancel_requested_at is null`;
    expect(open?.left).toBe(0);
    await suspend(operator, { tenantId: shut.tenantId, suspended: false });
    const owner = await world.actorOf('shut', shut.owner);
    for (const type of ['tenant.suspended', 'tenant.resumed']) {
      const { items } = await world.tenancy.listAuditEvents(owner, { limit: 5, type });
      expect(items).toMatchObject([{ type, actor: { id: operator.userId } }]);
    }
    expect(key).toBeTruthy();
  });
});

describe('a workspace', () => {
  it('is renamed and given a language by whoever may, on the record with before and after', async () => {
    const { actor } = await world.addTenant('plain');
    const member = await world.actorOf('plain', await world.addPerson(actor, 'member'));
    expect(await codeOf(world.tenancy.updateTenant(member, { name: 'Mine' }))).toBe('permission_denied');
    expect(await world.tenancy.updateTenant(actor, { name: 'Plain & simple', defaultLocale: 'zh-CN' })).toMatchObject({
      name: 'Plain & simple',
      defaultLocale: 'zh-CN',
      slug: 'plain',
    });
    const [event] = (await world.tenancy.listAuditEvents(actor, { limit: 1, type: 'tenant.updated' })).items;
    expect(event?.details).toEqual({
      from: { name: 'plain', defaultLocale: null },
      to: { name: 'Plain & simple', defaultLocale: 'zh-CN' },
    });
  });
});
