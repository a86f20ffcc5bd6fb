import type { Sql } from 'postgres';
import { fromUuid } from '#lib/kernel/index.ts';
import type { ExportQueue } from '#lib/record/index.ts';

/** The exports of every tenant, as role `bailiwick_platform`: which have to be written or deleted, and nothing of what is in them. */
export function createExportQueue(sql: Sql): ExportQueue {
  return {
    async listDue(now, limit) {
      const rows = await sql`
        select tenant_id, id from run_export
        where state in ('QUEUED', 'RUNNING') and (leased_until is null or leased_until < ${now}) order by id limit ${limit}`;
      return rows.map((row) => ({ tenantId: fromUuid('tenant', String(row.tenant_id)), exportId: fromUuid('export', String(row.id)) }));
    },

    async expire(now) {
      const rows = await sql`update run_export set state = 'EXPIRED' where state = 'DONE' and expires_at < ${now}`;
      await sql`
        delete from run_export_part p using run_export e
        where e.tenant_id = p.tenant_id and e.id = p.export_id and e.state in ('EXPIRED', 'CANCELLED', 'FAILED')`;
      return rows.count;
    },
  };
}
