import type { Sql } from 'postgres';
import { fromUuid } from '#lib/kernel/index.ts';
import type { EmbeddingQueue } from '#lib/knowledge/index.ts';

/** The spaces of every tenant, as role `bailiwick_platform`: which have work, and nothing of what is in them. */
export function createEmbeddingQueue(sql: Sql): EmbeddingQueue {
  return {
    async listDue(now, limit) {
      const rows = await sql`
        select tenant_id, id from embedding_space
        where done < wanted and (leased_until is null or leased_until < ${now}) and (retry_at is null or retry_at <= ${now})
        order by id limit ${limit}`;
      return rows.map((row) => ({
        tenantId: fromUuid('tenant', String(row.tenant_id)),
        spaceId: fromUuid('embeddingSpace', String(row.id)),
      }));
    },
  };
}
