import type { Sql } from 'postgres';
import { fromUuid, toUuid } from '#lib/kernel/index.ts';
import type { PlanningReader } from '#lib/knowledge/index.ts';
import { readTogether } from '../pipelined.ts';
import { readTerm } from './term-store.ts';

/** On raw statements: every run asks, and its first word waits for the answer. */
export function createPlanningReader(sql: Sql): PlanningReader {
  return async (scope, { outlineLimit, termLimit, tokens, passageLimit }) => {
    const tenant = toUuid(scope.tenantId);
    const wanted = [...tokens];
    const [documents, terms, counts, frequencies, passages] = await readTogether(sql, scope, (tx) => [
      tx`
        select d.id, d.title, d.version, coalesce((
          select jsonb_agg(c.section order by c.ordinal) from knowledge_chunk c where c.tenant_id = ${tenant} and c.document_id = d.id), '[]'::jsonb) as sections
        from knowledge_document d where d.tenant_id = ${tenant}
        order by d.title, d.id limit ${outlineLimit}`,
      tx`select id, term, meaning, synonyms, version, updated_at from ontology_term where tenant_id = ${tenant} order by term limit ${termLimit}`,
      tx`select count(*)::int as n from knowledge_chunk where tenant_id = ${tenant}`,
      tx`select token, count(*)::int as n from knowledge_token where tenant_id = ${tenant} and token = any(${wanted}::text[]) group by token`,
      tx`
        with frequency as (
          select token, count(*)::float as n from knowledge_token where tenant_id = ${tenant} and token = any(${wanted}::text[]) group by token
        )
        select array_agg(t.token) as tokens
        from knowledge_token t join frequency f on f.token = t.token
        where t.tenant_id = ${tenant} and t.token = any(${wanted}::text[])
        group by t.chunk_id
        order by sum(1.0 / f.n) desc, t.chunk_id limit ${passageLimit}`,
    ]);
    return {
      outlines: documents.map((row) => ({
        id: fromUuid('document', String(row.id)),
        title: String(row.title),
        version: Number(row.version),
        sections: [...new Set(row.sections as string[])],
      })),
      terms: terms.map(readTerm),
      evidence: {
        passageCount: Number(counts[0]?.n ?? 0),
        frequency: new Map(frequencies.map((row) => [String(row.token), Number(row.n)])),
        passages: passages.map((row) => new Set(row.tokens as string[])),
      },
    };
  };
}
