import type { Sql } from 'postgres';
import { fromUuid, toUuid } from '#lib/kernel/index.ts';
import type { NearestReader, ServingSpaceReader, VectorSupportReader } from '#lib/knowledge/index.ts';
import { inOneRoundTrip, readTogether } from '../pipelined.ts';
import { SPACE_COLUMNS, toSpace } from './embedding-space-store.ts';
import { toArrayLiteral } from './vector-literal.ts';

const SUPPORT_KEPT_MS = 60_000;

/** Beside the search by words: both leave in one round trip. */
export function createServingSpaceReader(sql: Sql): ServingSpaceReader {
  return async (scope) => {
    const tenant = toUuid(scope.tenantId);
    const [rows] = await readTogether(sql, scope, (tx) => [
      tx`
        select ${tx.unsafe(SPACE_COLUMNS)} from embedding_space s join model_provider p on p.tenant_id = ${tenant} and p.id = s.provider_id
        where s.tenant_id = ${tenant} and s.state = 'SERVING'`,
    ]);
    return rows[0] ? toSpace(rows[0]) : null;
  };
}

/**
 * All vectors of the tenant's space are compared: the tenant predicate is an index condition, nothing near is missed, and no
 * other tenant's vectors are in the way. The sub-select reads the numbers once and not for each row (docs/decisions/0024-search-by-meaning.md).
 */
export function createNearestReader(sql: Sql): NearestReader {
  return async (scope, { spaceId, vector, limit }) => {
    const tenant = toUuid(scope.tenantId);
    const [rows] = await inOneRoundTrip(sql, scope, (tx) => [
      tx`
        with near as materialized (
          select e.chunk_id, 1 - (e.embedding::vector <=> (select ${toArrayLiteral(vector)}::text::real[]::vector)) as similarity
          from knowledge_embedding e where e.tenant_id = ${tenant} and e.embedding_space_id = ${toUuid(spaceId)}
        ),
        spread as (select count(*)::int as count, coalesce(avg(similarity), 0)::float as mean, coalesce(stddev_pop(similarity), 0)::float as deviation from near),
        best as (select chunk_id, similarity from near order by similarity desc, chunk_id limit ${limit})
        select s.count, s.mean, s.deviation, b.chunk_id, b.similarity::float as similarity, c.document_id, d.title, c.section, c.text
        from spread s
          left join best b on true
          left join knowledge_chunk c on c.tenant_id = ${tenant} and c.id = b.chunk_id
          left join knowledge_document d on d.tenant_id = ${tenant} and d.id = c.document_id
        order by b.similarity desc, b.chunk_id`,
    ]);
    const spread = rows[0];
    return {
      count: Number(spread?.count ?? 0),
      mean: Number(spread?.mean ?? 0),
      deviation: Number(spread?.deviation ?? 0),
      chunks: rows.flatMap((row) =>
        row.chunk_id === null
          ? []
          : [
              {
                chunkId: fromUuid('chunk', String(row.chunk_id)),
                documentId: fromUuid('document', String(row.document_id)),
                title: String(row.title),
                section: String(row.section),
                text: String(row.text),
                similarity: Number(row.similarity),
              },
            ],
      ),
    };
  };
}

/** What the catalogue says of the extension `vector`. */
export function createVectorSupportReader(sql: Sql): VectorSupportReader {
  let known: { readonly at: number; readonly support: ReturnType<VectorSupportReader> } | null = null;
  const read = async () => {
    const [row] = await sql`
      select (select extversion from pg_extension where extname = 'vector') as created,
        (select default_version from pg_available_extensions where name = 'vector') as available`;
    const version = (row?.created ?? row?.available ?? null) as string | null;
    return { extension: row?.created ? 'ready' : row?.available ? 'not-created' : 'absent', version } as const;
  };
  return () => {
    if (known && performance.now() - known.at < SUPPORT_KEPT_MS) return known.support;
    const support = read();
    const asked = { at: performance.now(), support };
    known = asked;
    // What could not be read is asked again.
    support.catch(() => {
      if (known === asked) known = null;
    });
    return support;
  };
}
