import type { Row, Sql } from 'postgres';
import { z } from 'zod';
import { toAuditRecord } from '#lib/audit/index.ts';
import { fromUuid, toUuid } from '#lib/kernel/index.ts';
import type { OperatorStore, Purge, PurgeStore } from '#lib/tenancy/index.ts';
import { toAuditRow } from './stores/boundary-statement.ts';
import { CANCEL_CHANNEL } from './stores/run-gate.ts';

const purgeRow = z.object({
  id: z.string(),
  slug: z.string(),
  name: z.string(),
  requested_by: z.string(),
  requested_at: z.date(),
  total_rows: z.number().nullable(),
  purged_rows: z.number(),
  finished_at: z.date().nullable(),
});
const tenantRow = z.object({
  id: z.string(),
  slug: z.string(),
  name: z.string(),
  is_demo: z.boolean(),
  suspended_at: z.date().nullable(),
  created_at: z.date(),
  members: z.number(),
  chats: z.number(),
  runs: z.number(),
  open_runs: z.number(),
  documents: z.number(),
  last_run_at: z.date().nullable(),
});

/** What operators ask of all tenants, as role `bailiwick_platform`: counts, never content. */
export function createOperatorStore(sql: Sql): OperatorStore {
  return {
    async listTenants() {
      const rows = await sql`
        select t.id, t.slug, t.name, t.is_demo, t.suspended_at, t.created_at,
          (select count(*)::int from tenant_member m where m.tenant_id = t.id) as members,
          (select count(*)::int from agent_session s where s.tenant_id = t.id) as chats,
          (select count(*)::int from run r where r.tenant_id = t.id) as runs,
          (select count(*)::int from run r where r.tenant_id = t.id and r.state in ('QUEUED', 'RUNNING', 'WAITING')) as open_runs,
          (select count(*)::int from knowledge_document d where d.tenant_id = t.id) as documents,
          (select max(r.created_at) from run r where r.tenant_id = t.id) as last_run_at
        from tenant t where t.deleted_at is null order by t.name, t.id`;
      return rows.map((row) => {
        const found = tenantRow.parse(row);
        const { slug, name, members, chats, runs, documents } = found;
        return {
          id: fromUuid('tenant', found.id),
          slug,
          name,
          isDemo: found.is_demo,
          suspendedAt: found.suspended_at,
          createdAt: found.created_at,
          members,
          chats,
          runs,
          openRuns: found.open_runs,
          documents,
          lastRunAt: found.last_run_at,
        };
      });
    },
    async listPurges({ requestedBy, limit }) {
      const rows = await sql`
        select * from tenant_purge where ${requestedBy ? sql`requested_by = ${toUuid(requestedBy)}` : sql`true`}
        order by requested_at desc limit ${limit}`;
      return rows.map(toPurge);
    },
  };
}

/** The steps by which a closed tenant's rows go, as role `bailiwick_platform`. */
export function createPurgeStore(sql: Sql): PurgeStore {
  return {
    async listUnfinished() {
      return (await sql`select * from tenant_purge where finished_at is null order by requested_at`).map(toPurge);
    },

    async stopRuns(tenantId, by) {
      const tenant = toUuid(tenantId);
      const asked = await sql`
        update run set cancel_requested_at = now(), cancel_requested_by = ${toUuid(by)}
        where tenant_id = ${tenant} and state in ('QUEUED', 'RUNNING') and cancel_requested_at is null
        returning id, state`;
      for (const { id } of asked.filter(({ state }) => state === 'RUNNING')) await sql`select pg_notify(${CANCEL_CHANNEL}, ${String(id)})`;
      const [row] = await sql`select count(*)::int as driven from run where tenant_id = ${tenant} and state = 'RUNNING'`;
      return Number(row?.driven);
    },

    async listRuns(tenantId, after, limit) {
      const rows = await sql`
        select id, segment from run where tenant_id = ${toUuid(tenantId)} and ${after ? sql`id > ${toUuid(after)}` : sql`true`}
        order by id limit ${limit}`;
      return rows.map(({ id, segment }) => ({ id: fromUuid('run', String(id)), segments: Number(segment) }));
    },

    async listTables() {
      const tables = await sql<{ name: string }[]>`
        select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id' and not a.attisdropped
        where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') order by 1`;
      const references = await sql<{ child: string; parent: string }[]>`
        select distinct child.relname as child, parent.relname as parent from pg_constraint k
        join pg_class child on child.oid = k.conrelid join pg_class parent on parent.oid = k.confrelid
        where k.contype = 'f' and k.connamespace = 'public'::regnamespace and k.conrelid <> k.confrelid`;
      return childrenFirst(
        tables.map(({ name }) => name),
        references,
      );
    },

    async count(table, tenantId) {
      const [row] = await sql`select bailiwick_purge_rows(${table}, ${toUuid(tenantId)}, null) as rows`;
      return Number(row?.rows);
    },

    async setTotal(tenantId, rows) {
      await sql`update tenant_purge set total_rows = ${rows} where id = ${toUuid(tenantId)} and total_rows is null`;
    },

    async removeRows(table, tenantId, limit) {
      const id = toUuid(tenantId);
      return sql.begin(async (tx) => {
        const [row] = await tx`select bailiwick_purge_rows(${table}, ${id}, ${limit}) as rows`;
        await tx`update tenant_purge set purged_rows = purged_rows + ${Number(row?.rows)} where id = ${id}`;
        return Number(row?.rows);
      });
    },

    async finish(purge, at) {
      const id = toUuid(purge.tenantId);
      await sql.begin(async (tx) => {
        const finished = await tx`
          update tenant_purge set finished_at = ${at}, total_rows = purged_rows where id = ${id} and finished_at is null returning purged_rows`;
        // Of two processes that come to the end, one records it.
        if (finished.length === 0) return;
        await tx`delete from rate_limit where position(${id} in key) > 0 or position(${purge.tenantId} in key) > 0`;
        await tx`select bailiwick_purge_tenant(${id})`;
        const record = toAuditRecord(
          {
            type: 'tenant.purged',
            target: { kind: 'tenant', id: purge.tenantId, name: purge.name },
            details: { slug: purge.slug, rows: Number(finished[0]?.purged_rows) },
          },
          { tenantId: null, actor: { kind: 'system', id: 'bailiwick' }, at },
        );
        const row = toAuditRow(record);
        await tx`
          insert into platform_audit (id, at, type, actor_kind, actor_id, target_kind, target_id, payload, hash)
          values (${row.id}, ${row.at}, ${row.type}, ${row.actorKind}, ${row.actorId}, ${row.targetKind}, ${row.targetId}, ${row.payload}, ${row.hash})`;
      });
    },
  };
}

/** An order in which no row is removed while another refers to it. */
export function childrenFirst(tables: readonly string[], references: readonly { child: string; parent: string }[]): string[] {
  const left = new Set(tables);
  const ordered: string[] = [];
  while (left.size > 0) {
    const free = [...left].filter((table) => !references.some(({ child, parent }) => parent === table && left.has(child)));
    // Tables that refer to each other in a ring: the database's own cascades have to do.
    const next = free.length > 0 ? free : [...left];
    for (const table of next) left.delete(table);
    ordered.push(...next);
  }
  return ordered;
}

function toPurge(row: Row): Purge {
  const { id, slug, name, requested_by, requested_at, total_rows, purged_rows, finished_at } = purgeRow.parse(row);
  return {
    tenantId: fromUuid('tenant', id),
    slug,
    name,
    requestedBy: fromUuid('user', requested_by),
    requestedAt: requested_at,
    totalRows: total_rows,
    purgedRows: purged_rows,
    finishedAt: finished_at,
  };
}
