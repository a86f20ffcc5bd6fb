import { and, asc, desc, eq, lt, sql } from 'drizzle-orm';
import { AppError } from '#lib/kernel/index.ts';
import type { DocumentLanguage, DocumentStore, DocumentSummary } from '#lib/knowledge/index.ts';
import { embeddingSpace, knowledgeChunk, knowledgeDocument, knowledgeToken } from '../schema/index.ts';
import type { TenantBinding } from '../tenant-binding.ts';

/** Rows of one insert: Postgres takes at most 65,535 parameters a statement. */
const INSERT_ROWS = 5_000;

export function bindDocumentStore({ transaction, scope, clock }: TenantBinding): DocumentStore {
  const { tenantId } = scope;
  const ofTenant = eq(knowledgeDocument.tenantId, tenantId);

  return {
    async list({ limit, after }) {
      const rows = await transaction
        .select()
        .from(knowledgeDocument)
        .where(and(ofTenant, after ? lt(knowledgeDocument.id, after) : undefined))
        .orderBy(desc(knowledgeDocument.id))
        .limit(limit);
      return rows.map(toSummary);
    },

    async listOutlines(limit) {
      const rows = await transaction
        .select({
          id: knowledgeDocument.id,
          title: knowledgeDocument.title,
          version: knowledgeDocument.version,
          // The table is named: Drizzle would leave it out, and `id` mean the chunk's.
          sections: sql<string[]>`coalesce((
            select jsonb_agg(c.section order by c.ordinal) from knowledge_chunk c
            where c.tenant_id = knowledge_document.tenant_id and c.document_id = knowledge_document.id), '[]'::jsonb)`,
        })
        .from(knowledgeDocument)
        .where(ofTenant)
        .orderBy(asc(knowledgeDocument.title), asc(knowledgeDocument.id))
        .limit(limit);
      return rows.map((row) => ({ ...row, sections: [...new Set(row.sections)] }));
    },

    async find(documentId) {
      const [row] = await transaction
        .select()
        .from(knowledgeDocument)
        .where(and(ofTenant, eq(knowledgeDocument.id, documentId)));
      return row ? { ...toSummary(row), body: row.body } : null;
    },

    async findPassage(documentId, chunkId) {
      const [row] = await transaction
        .select({ section: knowledgeChunk.section, text: knowledgeChunk.text })
        .from(knowledgeChunk)
        .where(and(eq(knowledgeChunk.tenantId, tenantId), eq(knowledgeChunk.documentId, documentId), eq(knowledgeChunk.id, chunkId)));
      return row ?? null;
    },

    async put({ document, chunks, expectedVersion }) {
      const now = clock.now();
      const saved =
        expectedVersion === null
          ? await transaction
              .insert(knowledgeDocument)
              .values({ tenantId, ...document, createdAt: now, updatedAt: now })
              .onConflictDoNothing()
              .returning()
          : await transaction
              .update(knowledgeDocument)
              .set({
                title: document.title,
                language: document.language,
                body: document.body,
                version: expectedVersion + 1,
                updatedAt: now,
              })
              .where(and(ofTenant, eq(knowledgeDocument.id, document.id), eq(knowledgeDocument.version, expectedVersion)))
              .returning();
      const row = saved[0];
      if (!row) {
        throw new AppError({
          code: 'conflict',
          message: 'Somebody has saved this document meanwhile. Load it again, then repeat your change.',
          details: { documentId: document.id, expectedVersion },
        });
      }
      await transaction
        .delete(knowledgeChunk)
        .where(and(eq(knowledgeChunk.tenantId, tenantId), eq(knowledgeChunk.documentId, document.id)));
      const chunkRows = chunks.map(({ id, ordinal, section, text, tokenCount }) => ({
        tenantId,
        id,
        documentId: document.id,
        ordinal,
        section,
        text,
        tokenCount,
      }));
      for (const part of inParts(chunkRows)) await transaction.insert(knowledgeChunk).values(part);
      const tokenRows = chunks.flatMap((chunk) =>
        [...chunk.tokens].map(([token, count]) => ({ tenantId, token, chunkId: chunk.id, count })),
      );
      for (const part of inParts(tokenRows)) await transaction.insert(knowledgeToken).values(part);
      await transaction
        .update(embeddingSpace)
        .set({ wanted: sql`${embeddingSpace.wanted} + 1` })
        .where(eq(embeddingSpace.tenantId, tenantId));
      return toSummary(row);
    },

    async delete(documentId) {
      const rows = await transaction
        .delete(knowledgeDocument)
        .where(and(ofTenant, eq(knowledgeDocument.id, documentId)))
        .returning({ id: knowledgeDocument.id });
      return rows.length > 0;
    },
  };
}

function toSummary(row: typeof knowledgeDocument.$inferSelect): DocumentSummary {
  const { id, title, version, createdAt, updatedAt } = row;
  return { id, title, language: row.language as DocumentLanguage, version, createdAt, updatedAt };
}

function* inParts<Item>(items: readonly Item[]): Generator<Item[]> {
  for (let start = 0; start < items.length; start += INSERT_ROWS) yield items.slice(start, start + INSERT_ROWS);
}
