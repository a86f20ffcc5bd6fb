import type { Sql } from 'postgres';
import { fromUuid } from '#lib/kernel/index.ts';
import type { NoticeQueue } from '#lib/notifications/index.ts';

/** The notices of every tenant, as role `bailiwick_platform`: which have to be spread, delivered or deleted, and nothing of what they say. */
export function createNoticeQueue(sql: Sql): NoticeQueue {
  return {
    async listUnspread(limit) {
      const rows = await sql`select tenant_id, id from notice where spread_at is null order by id limit ${limit}`;
      return rows.map((row) => ({ tenantId: fromUuid('tenant', String(row.tenant_id)), noticeId: fromUuid('notice', String(row.id)) }));
    },

    async listDue(now, limit) {
      const rows = await sql`
        select tenant_id, id from (
          select tenant_id, id, next_attempt_at, row_number() over (partition by tenant_id order by next_attempt_at, id) as place
          from notice_delivery
          where state = 'PENDING' and next_attempt_at <= ${now} and (leased_until is null or leased_until < ${now})
        ) as due
        where place <= 2 order by next_attempt_at, id limit ${limit}`;
      return rows.map((row) => ({ tenantId: fromUuid('tenant', String(row.tenant_id)), deliveryId: fromUuid('delivery', String(row.id)) }));
    },

    async prune(before) {
      const rows = await sql`
        delete from notice n where n.created_at < ${before} and n.spread_at is not null
          and not exists (select 1 from notice_delivery d where d.tenant_id = n.tenant_id and d.notice_id = n.id and d.state = 'PENDING')`;
      return rows.count;
    },
  };
}
