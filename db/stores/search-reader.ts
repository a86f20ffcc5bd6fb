import type { Sql } from 'postgres';
import { fromUuid, toUuid } from '#lib/kernel/index.ts';
import type { CandidateChunk, SearchReader } from '#lib/knowledge/index.ts';
import { readTogether } from '../pipelined.ts';
import { readTerm } from './term-store.ts';

/** On raw statements: a run with a model asks before its first word. */
export function createSearchReader(sql: Sql): SearchReader {
  return async (scope, { tokens, limit, termLimit }) => {
    const tenant = toUuid(scope.tenantId);
    const wanted = [...tokens];
    const [terms, statistics, chunks] = await readTogether(sql, scope, (tx) => [
      tx`select id, term, meaning, synonyms, version, updated_at from ontology_term where tenant_id = ${tenant} order by term limit ${termLimit}`,
      tx`
        select count(*)::int as chunk_count, coalesce(avg(token_count), 0)::float as average,
          coalesce((select jsonb_object_agg(token, n) from (
            select token, count(*)::int as n from knowledge_token where tenant_id = ${tenant} and token = any(${wanted}::text[]) group by token) t), '{}'::jsonb) as frequency
        from knowledge_chunk where tenant_id = ${tenant}`,
      tx`
        with frequency as (
          select token, count(*)::float as n from knowledge_token where tenant_id = ${tenant} and token = any(${wanted}::text[]) group by token
        ),
        best as (
          select t.chunk_id, jsonb_object_agg(t.token, t.count) as matches
          from knowledge_token t join frequency f on f.token = t.token
          where t.tenant_id = ${tenant} and t.token = any(${wanted}::text[])
          group by t.chunk_id
          order by sum(1.0 / f.n) desc, t.chunk_id limit ${limit}
        )
        select b.chunk_id, c.document_id, d.title, c.section, c.text, c.token_count, b.matches
        from best b
          join knowledge_chunk c on c.tenant_id = ${tenant} and c.id = b.chunk_id
          join knowledge_document d on d.tenant_id = ${tenant} and d.id = c.document_id`,
    ]);
    const [counted] = statistics;
    return {
      terms: terms.map(readTerm),
      candidates: {
        chunkCount: Number(counted?.chunk_count ?? 0),
        averageTokenCount: Number(counted?.average ?? 0),
        documentFrequency: toCounts(counted?.frequency),
        chunks: chunks.map(
          (row): CandidateChunk => ({
            chunkId: fromUuid('chunk', String(row.chunk_id)),
            documentId: fromUuid('document', String(row.document_id)),
            title: String(row.title),
            section: String(row.section),
            text: String(row.text),
            tokenCount: Number(row.token_count),
            matches: toCounts(row.matches),
          }),
        ),
      },
    };
  };
}

function toCounts(counts: unknown): ReadonlyMap<string, number> {
  return new Map(Object.entries((counts ?? {}) as Record<string, number>));
}
