import { and, eq, sql } from 'drizzle-orm';
import type { Row } from 'postgres';
import { z } from 'zod';
import { fromUuid, newId, toUuid } from '#lib/kernel/index.ts';
import type { EmbeddingSpace, EmbeddingSpaceStore } from '#lib/knowledge/index.ts';
import { embeddingSpace, modelProvider } from '../schema/index.ts';
import type { TenantBinding } from '../tenant-binding.ts';
import { readPrice, readSettings } from './model-rows.ts';
import { toArrayLiteral } from './vector-literal.ts';

const spaceRow = z.object({
  id: z.string(),
  provider_id: z.string(),
  model: z.string(),
  dimensions: z.number().nullable(),
  price: z.unknown(),
  state: z.enum(['BUILDING', 'SERVING']),
  problem: z.string().nullable(),
  problem_at: z.coerce.date().nullable(),
  kind: z.enum(['openai', 'anthropic', 'compatible']),
  name: z.string(),
  base_url: z.string().nullable(),
  provider_model: z.string(),
  settings: z.unknown(),
  encrypted_key: z.string().nullable(),
  key_id: z.string().nullable(),
});

const countsRow = z.object({ embedded: z.coerce.number(), passages: z.coerce.number() });
const missingRow = z.object({ id: z.string(), title: z.string(), section: z.string(), text: z.string() });
const turnRow = z.object({ epoch: z.number(), wanted: z.number(), failures: z.number() });

/** A space with its provider, as every reader of it selects them: `s` and `p`. */
export const SPACE_COLUMNS = `s.*, p.kind, p.name, p.base_url, p.model as provider_model, p.settings, p.encrypted_key, p.key_id`;

export function toSpace(row: Row | Record<string, unknown>): EmbeddingSpace {
  const found = spaceRow.parse(row);
  return {
    id: fromUuid('embeddingSpace', found.id),
    provider: {
      id: fromUuid('modelProvider', found.provider_id),
      kind: found.kind,
      name: found.name,
      baseUrl: found.base_url,
      model: found.provider_model,
      settings: readSettings(found.settings),
      sealedKey: found.encrypted_key && found.key_id ? { box: found.encrypted_key, keyId: found.key_id } : null,
      prices: [],
    },
    model: found.model,
    price: readPrice(found.price),
    dimensions: found.dimensions,
    state: found.state,
    problem: found.problem !== null && found.problem_at ? { at: found.problem_at, message: found.problem } : null,
  };
}

export function bindEmbeddingSpaceStore({ transaction, scope, clock }: TenantBinding): EmbeddingSpaceStore {
  const { tenantId } = scope;
  const tenant = toUuid(tenantId);
  const ofTenant = eq(embeddingSpace.tenantId, tenantId);
  const one = (id: EmbeddingSpace['id']) => and(ofTenant, eq(embeddingSpace.id, id));
  const held = (id: EmbeddingSpace['id'], epoch: number) => and(one(id), eq(embeddingSpace.epoch, epoch));
  const now = () => clock.now();

  return {
    async list() {
      const rows = await transaction.execute(sql`
        select ${sql.raw(SPACE_COLUMNS)},
          (select count(*) from knowledge_embedding e where e.tenant_id = ${tenant} and e.embedding_space_id = s.id) as embedded,
          (select count(*) from knowledge_chunk c where c.tenant_id = ${tenant}) as passages
        from embedding_space s join model_provider p on p.tenant_id = ${tenant} and p.id = s.provider_id
        where s.tenant_id = ${tenant} order by s.state desc`);
      return rows.map((row) => ({ ...toSpace(row), ...countsRow.parse(row) }));
    },

    async findProvider(id) {
      const [row] = await transaction
        .select()
        .from(modelProvider)
        .where(and(eq(modelProvider.tenantId, tenantId), eq(modelProvider.id, id)));
      if (!row) return null;
      return {
        id: row.id,
        kind: z.enum(['openai', 'anthropic', 'compatible']).parse(row.kind),
        name: row.name,
        baseUrl: row.baseUrl,
        model: row.model,
        settings: readSettings(row.settings),
        sealedKey: row.encryptedKey && row.keyId ? { box: row.encryptedKey, keyId: row.keyId } : null,
        prices: [],
      };
    },

    async begin({ id, providerId, model, price }) {
      await transaction.delete(embeddingSpace).where(and(ofTenant, eq(embeddingSpace.state, 'BUILDING')));
      const at = { createdAt: now(), createdBy: scope.userId ?? null };
      await transaction.insert(embeddingSpace).values({ tenantId, id, providerId, model, price, state: 'BUILDING', ...at });
    },

    async rebuild(id) {
      const [known] = await transaction.select().from(embeddingSpace).where(one(id));
      if (known?.state !== 'SERVING') return;
      const { providerId, model, price, createdBy } = known;
      await transaction
        .insert(embeddingSpace)
        .values({ tenantId, id: newId('embeddingSpace'), providerId, model, price, state: 'BUILDING', createdAt: now(), createdBy })
        .onConflictDoNothing();
    },

    async removeAll() {
      await transaction.delete(embeddingSpace).where(ofTenant);
    },

    async take(id, leaseMs) {
      const at = now();
      const rows = await transaction.execute(sql`
        update embedding_space set epoch = epoch + 1, leased_until = ${new Date(at.getTime() + leaseMs).toISOString()}::timestamptz
        where tenant_id = ${tenant} and id = ${toUuid(id)} and done < wanted
          and (leased_until is null or leased_until < ${at.toISOString()}::timestamptz)
          and (retry_at is null or retry_at <= ${at.toISOString()}::timestamptz)
        returning epoch, wanted, failures`);
      if (!rows[0]) return null;
      const [row] = await transaction.execute(sql`
        select ${sql.raw(SPACE_COLUMNS)} from embedding_space s join model_provider p on p.tenant_id = ${tenant} and p.id = s.provider_id
        where s.tenant_id = ${tenant} and s.id = ${toUuid(id)}`);
      return row ? { space: toSpace(row), ...turnRow.parse(rows[0]) } : null;
    },

    async listMissing(id, { after, limit }) {
      const rows = await transaction.execute(sql`
        select c.id, d.title, c.section, c.text
        from knowledge_chunk c join knowledge_document d on d.tenant_id = ${tenant} and d.id = c.document_id
        where c.tenant_id = ${tenant} and (${after && toUuid(after)}::uuid is null or c.id > ${after && toUuid(after)}::uuid)
          and not exists (
            select from knowledge_embedding e where e.tenant_id = ${tenant} and e.embedding_space_id = ${toUuid(id)} and e.chunk_id = c.id)
        order by c.id limit ${limit}`);
      return rows.map((row) => {
        const { id: chunkId, ...passage } = missingRow.parse(row);
        return { chunkId: fromUuid('chunk', chunkId), ...passage };
      });
    },

    async addVectors(id, epoch, { dimensions, vectors, leaseMs }) {
      // The fence first: of two writers, the older finds no row.
      const [row] = await transaction
        .update(embeddingSpace)
        .set({ dimensions, leasedUntil: new Date(now().getTime() + leaseMs), problem: null, problemAt: null, failures: 0, retryAt: null })
        .where(held(id, epoch))
        .returning({ id: embeddingSpace.id });
      if (!row) return false;
      const batch = JSON.stringify(vectors.map(({ chunkId, vector }) => ({ id: toUuid(chunkId), embedding: toArrayLiteral(vector) })));
      await transaction.execute(sql`
        insert into knowledge_embedding (tenant_id, embedding_space_id, chunk_id, embedding)
        select ${tenant}::uuid, ${toUuid(id)}::uuid, c.id, v.embedding::real[]
        from jsonb_to_recordset(${batch}::text::jsonb) as v(id uuid, embedding text)
        join knowledge_chunk c on c.tenant_id = ${tenant} and c.id = v.id
        on conflict do nothing`);
      return true;
    },

    async finish(id, epoch, wanted) {
      const [space] = await transaction
        .update(embeddingSpace)
        .set({ done: wanted, leasedUntil: null, problem: null, problemAt: null, failures: 0, retryAt: null })
        .where(held(id, epoch))
        .returning({ state: embeddingSpace.state, dimensions: embeddingSpace.dimensions });
      if (space?.state !== 'BUILDING') return;
      await transaction.delete(embeddingSpace).where(and(ofTenant, eq(embeddingSpace.state, 'SERVING')));
      await transaction.update(embeddingSpace).set({ state: 'SERVING', completedAt: now() }).where(one(id));
    },

    async stumble(id, epoch, { message, retryAt }) {
      await transaction
        .update(embeddingSpace)
        .set({ problem: message, problemAt: now(), retryAt, leasedUntil: null, failures: sql`${embeddingSpace.failures} + 1` })
        .where(held(id, epoch));
    },

    async noteSearch(id, problem) {
      await transaction
        .update(embeddingSpace)
        .set({ problem, problemAt: problem === null ? null : now() })
        .where(one(id));
    },
  };
}
