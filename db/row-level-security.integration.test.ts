import type { Sql, TransactionSql } from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifies } from '#e2e/verifies.ts';
import { createTestDatabase, type TestDatabase } from '#lib/testing/database.ts';
import { openSql } from './client.ts';
import { PROBES, seedParents } from './row-level-security-probes.ts';

/**
 * Tables without a policy: they hold no tenant's content, or must be read before a tenant is known. A table that is on no
 * list fails here; before it is added to this one, its columns are worth a second look.
 */
const PLATFORM_TABLES = [
  'api_key_hash',
  'app_user',
  'invitation_hash',
  'oauth_client',
  'oauth_code',
  'oauth_refresh',
  'oidc_identity',
  'password_reset',
  'platform_audit',
  'platform_setting',
  'rate_limit',
  'sign_in_session',
  'tenant',
  'tenant_purge',
];

/** Tables that hang from the tenant alone. Every other tenant table has a parent in its own tenant. */
const ROOT_TABLES = [
  'agent_session',
  'api_key',
  'approval_policy',
  'audit_event',
  'embedding_call',
  'knowledge_document',
  'mcp_server',
  'model_provider',
  'notice_webhook',
  'ontology_term',
  'plugin_operation',
  'plugin_request',
  'plugin_settings_snapshot',
  'role',
  'keyed_call',
  'run_export',
  'stored_fact',
  'tenant_plugin_install',
];

/** What a column named after a table would refer to, and why it does not. */
const LOOSE_COLUMNS: Readonly<Record<string, string>> = {
  'agent_conversation_message.run_id': 'memory is kept longer than the run it comes from',
  'oauth_refresh.tenant_id': 'the pair refers to the key, which refers to the tenant',
  'api_key_hash.tenant_id': 'the pair refers to the key, which refers to the tenant',
  'conversation_summary.run_id': 'memory is kept longer than the run it comes from',
  'invitation_hash.tenant_id': 'the pair refers to the invitation, which refers to the tenant',
  'audit_event.run_id': 'the record of a run outlives it',
  'keyed_call.invocation_id': 'a call that belongs to no run has no row of its own',
  'message.parent_id': 'a message and its branches are removed with their session',
  'message.run_id': 'written in the statement that also writes the run',
  'plugin_operation.api_key_id': 'an installation outlives the key that asked for it',
  'question.invocation_id': 'null where a question is about no call',
  'run.api_key_id': 'a run outlives the key that asked for it',
  'run_export.run_id': 'a file that was made of a run may outlive it',
  'run.message_id': 'written in the statement that also writes the message',
  'stored_fact.run_id': 'a fact is kept longer than the run it comes from',
};
const PARENTS: Readonly<Record<string, string>> = {
  api_key_id: 'api_key',
  chunk_id: 'knowledge_chunk',
  document_id: 'knowledge_document',
  embedding_space_id: 'embedding_space',
  export_id: 'run_export',
  invocation_id: 'invocation',
  message_id: 'message',
  parent_id: 'message',
  role_id: 'role',
  run_id: 'run',
  session_id: 'agent_session',
};

let database: TestDatabase;
let owner: Sql;
let app: Sql;
const tenants = { a: '', b: '' };

beforeAll(async () => {
  database = await createTestDatabase();
  owner = openSql({ databaseUrl: database.databaseUrl, role: 'owner', max: 1, name: 'test' });
  app = openSql({ databaseUrl: database.databaseUrl, role: 'bailiwick_app', max: 2, name: 'test' });
  for (const name of ['a', 'b'] as const) {
    const [row] = await app`insert into tenant (id, slug, name) values (gen_random_uuid(), ${name}, ${name}) returning id`;
    tenants[name] = String(row?.id);
  }
});
afterAll(async () => {
  await Promise.all([owner.end(), app.end()]);
  await database.drop();
});

const within = <Result>(tenantId: string | null, work: (tx: TransactionSql) => Promise<Result>) =>
  app.begin(async (tx) => {
    if (tenantId) await tx`select set_config('app.tenant_id', ${tenantId}, true)`;
    return work(tx);
  });

const listTables = async (): Promise<{ name: string; hasTenant: boolean; isEnabled: boolean; isForced: boolean }[]> => {
  const rows = await owner`
    select c.relname as name, c.relrowsecurity as is_enabled, c.relforcerowsecurity as is_forced,
      exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'tenant_id' and not a.attisdropped) as has_tenant
    from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') order by 1`;
  return rows.map((row) => ({
    name: String(row.name),
    hasTenant: Boolean(row.has_tenant),
    isEnabled: Boolean(row.is_enabled),
    isForced: Boolean(row.is_forced),
  }));
};
const tenantTables = async () => (await listTables()).map(({ name }) => name).filter((name) => !PLATFORM_TABLES.includes(name));

/** Every foreign key of the schema, with its columns in order. */
const listForeignKeys = async () => {
  const rows = await owner`
    select c.conrelid::regclass::text as child, c.confrelid::regclass::text as parent,
      (select array_agg(a.attname::text order by k.position) from unnest(c.conkey) with ordinality k (number, position) join pg_attribute a on a.attrelid = c.conrelid and a.attnum = k.number) as columns,
      (select array_agg(a.attname::text order by k.position) from unnest(c.confkey) with ordinality k (number, position) join pg_attribute a on a.attrelid = c.confrelid and a.attnum = k.number) as targets
    from pg_constraint c where c.contype = 'f' and c.connamespace = 'public'::regnamespace`;
  return rows.map((row) => ({
    child: String(row.child),
    parent: String(row.parent),
    columns: row.columns as string[],
    targets: row.targets as string[],
  }));
};

const isTenantCheck = (expression: unknown) => /^\(?tenant_id = .*current_setting\('app\.tenant_id'/.test(String(expression));

describe('every table', () => {
  it('is a platform table by name, or a tenant’s', async () => {
    const tables = await listTables();
    expect(tables.length).toBeGreaterThan(15);
    const unplaced = tables.filter(({ name, hasTenant }) => !PLATFORM_TABLES.includes(name) && !hasTenant).map(({ name }) => name);
    expect(unplaced).toEqual([]);
    expect(PLATFORM_TABLES.filter((name) => !tables.some((table) => table.name === name))).toEqual([]);
  });

  it('of a tenant enables and forces row-level security', async () => {
    const open = (await listTables()).filter(
      ({ name, isEnabled, isForced }) => !PLATFORM_TABLES.includes(name) && !(isEnabled && isForced),
    );
    expect(open).toEqual([]);
  });

  it('of a tenant has a policy on the transaction’s tenant, for reading and for writing', async () => {
    const policies =
      await owner`select tablename, policyname, cmd, roles::text[] as roles, qual, with_check from pg_policies where schemaname = 'public'`;
    for (const table of await tenantTables()) {
      const own = policies.filter((policy) => policy.tablename === table);
      const tenantPolicy = own.find((policy) => policy.cmd === 'ALL' && isTenantCheck(policy.qual) && isTenantCheck(policy.with_check));
      expect({ table, hasPolicy: tenantPolicy !== undefined }).toEqual({ table, hasPolicy: true });
      // Policies add up: any other is for the platform's jobs, or lets a person read which tenants are theirs, now or by the
      // groups that their sign-in provider has named.
      for (const other of own.filter((policy) => policy !== tenantPolicy)) {
        const isForPlatform = String(other.roles) === 'bailiwick_platform';
        const isOwnMembership =
          table === 'tenant_member' && other.cmd === 'SELECT' && /user_id = .*current_setting\('app\.user_id'/.test(String(other.qual));
        const isClaimedGroup =
          table === 'group_role' && other.cmd === 'SELECT' && /group_name .*app\.claimed_groups/.test(String(other.qual));
        expect({ policy: other.policyname, isExpected: isForPlatform || isOwnMembership || isClaimedGroup }).toEqual({
          policy: other.policyname,
          isExpected: true,
        });
      }
    }
  });

  it('with an id of its own has it unique within the tenant, for children to refer to', async () => {
    const rows = await owner`
      select c.conrelid::regclass::text as name from pg_constraint c
      where c.contype in ('u', 'p') and (select array_agg(a.attname::text order by a.attname) from pg_attribute a where a.attrelid = c.conrelid and a.attnum = any (c.conkey)) = array['id', 'tenant_id']`;
    const withPair = new Set(rows.map((row) => String(row.name)));
    const withId =
      await owner`select attrelid::regclass::text as name from pg_attribute where attname = 'id' and not attisdropped and attnum > 0`;
    const ids = new Set(withId.map((row) => String(row.name)));
    expect((await tenantTables()).filter((name) => ids.has(name) && !withPair.has(name))).toEqual([]);
  });

  it('of a tenant refers to its parents by tenant and id together', async () => {
    const tables = await tenantTables();
    const keys = await listForeignKeys();
    const within = keys.filter(({ child, parent }) => tables.includes(child) && tables.includes(parent));
    for (const key of within) {
      const at = key.columns.indexOf('tenant_id');
      expect({ ...key, isPaired: at >= 0 && key.targets[at] === 'tenant_id' }).toEqual({ ...key, isPaired: true });
    }
    const orphans = tables.filter((table) => !within.some(({ child }) => child === table) && !ROOT_TABLES.includes(table));
    expect(orphans).toEqual([]);
    for (const root of ROOT_TABLES) {
      expect({ root, hangsFrom: keys.some(({ child, parent }) => child === root && parent === 'tenant') }).toEqual({
        root,
        hangsFrom: true,
      });
    }
  });

  it('refers to what its columns are named after, or says why not', async () => {
    const keys = await listForeignKeys();
    const columns =
      await owner`select table_name, column_name from information_schema.columns where table_schema = 'public' and column_name = any (${Object.keys(PARENTS)})`;
    const loose = columns
      .filter(
        (row) =>
          !keys.some(
            ({ child, parent, columns }) =>
              child === row.table_name && parent === PARENTS[String(row.column_name)] && columns.includes(String(row.column_name)),
          ),
      )
      .map((row) => `${row.table_name}.${row.column_name}`);
    expect(loose.filter((name) => !Object.hasOwn(LOOSE_COLUMNS, name))).toEqual([]);
  });
});

describe('the roles', () => {
  it('own nothing, pass no policy by, and cannot be signed in as', async () => {
    const rows = await owner`
      select rolname, rolsuper, rolbypassrls, rolcanlogin, rolcreaterole, (select count(*)::int from pg_class where relowner = r.oid) as owned
      from pg_roles r where rolname like 'bailiwick%' order by 1`;
    expect(rows.map((row) => ({ ...row }))).toEqual(
      ['bailiwick_app', 'bailiwick_engine', 'bailiwick_platform'].map((rolname) => ({
        rolname,
        rolsuper: false,
        rolbypassrls: false,
        rolcanlogin: false,
        rolcreaterole: false,
        owned: 0,
      })),
    );
  });

  it('cannot change or remove what is append-only', async () => {
    for (const table of [
      'agent_conversation_message',
      'audit_event',
      'invocation_transition',
      'model_call',
      'node_record',
      'platform_audit',
      'run_event',
      'session_event',
    ]) {
      const [row] = await owner`
        select has_table_privilege('bailiwick_app', ${table}, 'update') as may_update, has_table_privilege('bailiwick_app', ${table}, 'delete') as may_delete,
          has_table_privilege('bailiwick_app', ${table}, 'truncate') as may_truncate`;
      expect({ table, ...row }).toEqual({ table, may_update: false, may_delete: false, may_truncate: false });
    }
  });

  it('leave the engine without a look at any table of ours', async () => {
    const rows =
      await owner`select table_name from information_schema.role_table_grants where grantee = 'bailiwick_engine' and table_schema = 'public'`;
    expect(rows.map((row) => row.table_name)).toEqual([]);
  });
});

describe('a probe', () => {
  it('stands for every tenant table, and for no other', async () => {
    expect(Object.keys(PROBES).sort()).toEqual(await tenantTables());
  });

  it.each(Object.entries(PROBES))('of %s: tenant B sees, changes, removes and adds nothing of tenant A', async (table, probe) => {
    const parents = await within(tenants.a, async (tx) => {
      const made = await seedParents(tx, tenants.a);
      await tx`insert into ${tx(table)} ${tx(probe(tenants.a, made))}`;
      return made;
    });
    const countSeenBy = (tenantId: string | null) =>
      within(tenantId, async (tx) =>
        Number((await tx`select count(*)::int as rows from ${tx(table)} where tenant_id = ${tenants.a}`)[0]?.rows),
      );
    const before = await countSeenBy(tenants.a);
    expect(before).toBeGreaterThan(0);
    expect(await countSeenBy(tenants.b)).toBe(0);
    expect(await countSeenBy(null)).toBe(0);

    const touched = async (verb: 'update' | 'delete'): Promise<number> => {
      const [right] = await owner`select has_table_privilege('bailiwick_app', ${table}, ${verb}) as granted`;
      if (!right?.granted) return 0;
      return within(tenants.b, async (tx) =>
        verb === 'update'
          ? (await tx`update ${tx(table)} set tenant_id = tenant_id where tenant_id = ${tenants.a}`).count
          : (await tx`delete from ${tx(table)} where tenant_id = ${tenants.a}`).count,
      );
    };
    expect(await touched('update')).toBe(0);
    expect(await touched('delete')).toBe(0);

    // Neither into A while acting as B, nor into B below a parent of A.
    const refusalOf = (tenantId: string) =>
      within(tenants.b, async (tx) => tx`insert into ${tx(table)} ${tx(probe(tenantId, parents))}`).then(
        () => null,
        (error: { code?: string }) => error.code,
      );
    expect(await refusalOf(tenants.a)).toBe('42501');
    expect(await refusalOf(tenants.b)).toBe(ROOT_TABLES.includes(table) ? null : '23503');
    expect(await countSeenBy(tenants.a)).toBe(before);
  });

  verifies('P-18', 'of a member of both: acting in B, the membership in A can be read and not touched', async () => {
    const [user] = await app`insert into app_user (id, email, name) values (gen_random_uuid(), 'both@example.test', 'Both') returning id`;
    for (const tenantId of [tenants.a, tenants.b]) {
      await within(tenantId, async (tx) => {
        const { role_id } = await seedParents(tx, tenantId);
        await tx`insert into tenant_member (tenant_id, user_id, role_id) values (${tenantId}, ${String(user?.id)}, ${role_id})`;
      });
    }
    await within(tenants.b, async (tx) => {
      await tx`select set_config('app.user_id', ${String(user?.id)}, true)`;
      expect((await tx`select 1 from tenant_member where user_id = ${String(user?.id)}`).count).toBe(2);
      expect((await tx`update tenant_member set disabled_at = now() where user_id = ${String(user?.id)}`).count).toBe(1);
      expect((await tx`delete from tenant_member where user_id = ${String(user?.id)}`).count).toBe(1);
    });
    const left = await within(tenants.a, (tx) => tx`select disabled_at from tenant_member where user_id = ${String(user?.id)}`);
    expect(left.map((row) => row.disabled_at)).toEqual([null]);
  });
});
