import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSql } from '#db/client.ts';
import { migrate } from '#db/migrate.ts';
import { createNearestReader } from '#db/stores/vector-readers.ts';
import { verifies } from '#e2e/verifies.ts';
import { fromUuid } from '#lib/kernel/index.ts';
import { createTestDatabase, type TestDatabase } from '#lib/testing/database.ts';
import { createInProcess, createOnServer } from '#lib/testing/vector-database.ts';

/** Passages of a workspace; `npm run test:deep` asks for 100,000. */
const PASSAGES = Number(process.env.PASSAGES ?? 4_000);
const DIMENSIONS = 256;

type Sql = ReturnType<typeof openSql>;
const TENANTS = ['00000000-0000-7000-8000-00000000000a', '00000000-0000-7000-8000-00000000000b'] as const;

async function open(database: TestDatabase) {
  const { databaseUrl } = database;
  const owner = openSql({ databaseUrl, role: 'owner', max: 1, name: 'many owner' });
  const app = openSql({ databaseUrl, role: 'bailiwick_app', max: 2, name: 'many' });
  return { owner, app, close: () => Promise.all([owner.end(), app.end()]).then(() => database.drop()) };
}

/** Two workspaces of passages; ids are hashes, so that nothing lies in order. */
async function fill(owner: Sql): Promise<void> {
  for (const [index, tenant] of TENANTS.entries()) {
    await owner.begin(async (tx) => {
      await tx`select set_config('app.tenant_id', ${tenant}, true)`;
      await tx`insert into tenant (id, slug, name) values (${tenant}, ${`many-${index}`}, 'Many')`;
      await tx`insert into knowledge_document (tenant_id, id, title, language, body) values (${tenant}, ${tenant}, 'Many', 'en', '')`;
      await tx`
        insert into knowledge_chunk (tenant_id, id, document_id, ordinal, section, text, token_count)
        select ${tenant}::uuid, md5(${tenant} || n)::uuid, ${tenant}::uuid, n, '', 'passage ' || n, 12 from generate_series(1, ${PASSAGES}::int) n`;
    });
  }
}

describe('the index of words', () => {
  let many: Awaited<ReturnType<typeof open>>;
  beforeAll(async () => {
    many = await open(await createTestDatabase());
    await fill(many.owner);
    for (const tenant of TENANTS) {
      await many.owner.begin(async (tx) => {
        await tx`select set_config('app.tenant_id', ${tenant}, true)`;
        await tx`
          insert into knowledge_token (tenant_id, token, chunk_id, count)
          select ${tenant}::uuid, 'word' || (n * 31 + k * k * 977) % ${Math.max(200, PASSAGES / 4)}::int, md5(${tenant} || n)::uuid, 1
          from generate_series(1, ${PASSAGES}::int) n, generate_series(1, 12) k on conflict do nothing`;
      });
    }
    await many.owner`vacuum analyze knowledge_token`;
    await many.owner`analyze knowledge_chunk`;
  }, 600_000);
  afterAll(() => many.close());

  verifies('H-29', 'is read by its key under row-level security, whatever other workspaces keep', async () => {
    const words = ['word7', 'word11', 'word190'];
    const plan = await many.app.begin(async (tx) => {
      await tx`select set_config('app.tenant_id', ${TENANTS[0]}, true)`;
      const rows = await tx`
        explain (analyze, format json)
        select chunk_id, count(*) from knowledge_token where tenant_id = ${TENANTS[0]} and token = any(${words}::text[]) group by chunk_id`;
      return JSON.stringify(rows[0]);
    });
    expect(plan).toContain('knowledge_token_tenant_id_token_chunk_id_pk');
    expect(plan).not.toContain('Seq Scan');
    const removed = [...plan.matchAll(/"Rows Removed by (?:Filter|Index Recheck)":(\d+)/g)].map(([, count]) => Number(count));
    expect(removed.filter((count) => count > 0)).toEqual([]);
  });
});

const serverUrl = process.env.TEST_PGVECTOR_URL;
const [where, createDatabase] = serverUrl
  ? (['the server of TEST_PGVECTOR_URL', () => createOnServer(serverUrl)] as const)
  : (['PGlite', createInProcess] as const);

describe(`vectors of many passages on ${where}`, () => {
  const COUNT = Math.min(PASSAGES, serverUrl ? PASSAGES : 20_000);
  let many: Awaited<ReturnType<typeof open>>;
  beforeAll(async () => {
    const database = await createDatabase();
    await migrate({ databaseUrl: database.databaseUrl });
    many = await open(database);
    await fill(many.owner);
    for (const [index, tenant] of TENANTS.entries()) {
      await many.owner.begin(async (tx) => {
        await tx`select set_config('app.tenant_id', ${tenant}, true)`;
        await tx`
          insert into model_provider (tenant_id, id, kind, name, model, settings) values (${tenant}, ${tenant}, 'openai', 'x', 'x', '{}'::jsonb)`;
        await tx`
          insert into embedding_space (tenant_id, id, provider_id, model, dimensions, state) values (${tenant}, ${tenant}, ${tenant}, 'x', ${DIMENSIONS}, 'SERVING')`;
        // The other workspace's passages lie nearest to everything.
        await tx`
          insert into knowledge_embedding (tenant_id, embedding_space_id, chunk_id, embedding)
          select ${tenant}::uuid, ${tenant}::uuid, md5(${tenant} || n)::uuid,
            array(select case when k = 1 then ${index}::real else 0 end + sin(n * k * 0.37)::real * 0.5 from generate_series(1, ${DIMENSIONS}::int) k)::real[]
          from generate_series(1, ${COUNT}::int) n`;
      });
    }
    await many.owner`analyze knowledge_embedding`;
  }, 900_000);
  afterAll(() => many.close());

  verifies('H-29', 'are compared within the tenant alone, and the nearest of it are found', async () => {
    const readNearest = createNearestReader(many.app);
    const vector = Array.from({ length: DIMENSIONS }, (_, k) => (k === 0 ? 1 : 0) + Math.sin(100 * (k + 1) * 0.37) * 0.5);
    const scope = { tenantId: fromUuid('tenant', TENANTS[0]) };
    const times: number[] = [];
    let near: Awaited<ReturnType<typeof readNearest>> | undefined;
    for (let round = 0; round < 3; round += 1) {
      const begunMs = performance.now();
      near = await readNearest(scope, { spaceId: fromUuid('embeddingSpace', TENANTS[0]), vector, limit: 20 });
      times.push(performance.now() - begunMs);
    }
    if (process.env.PASSAGES)
      process.stderr.write(`nearest of ${COUNT} vectors of ${DIMENSIONS} on ${where}: ${times.map(Math.round).join(', ')} ms\n`);
    expect(near).toMatchObject({ count: COUNT });
    expect(near?.chunks).toHaveLength(20);
    expect(near?.chunks[0]?.text).toBe('passage 100');
    const elsewhere = await readNearest(scope, { spaceId: fromUuid('embeddingSpace', TENANTS[1]), vector, limit: 20 });
    expect(elsewhere).toEqual({ count: 0, mean: 0, deviation: 0, chunks: [] });
  });

  it('are found by an index on the tenant', async () => {
    const plan = await many.app.begin(async (tx) => {
      await tx`select set_config('app.tenant_id', ${TENANTS[0]}, true)`;
      await tx`set local enable_seqscan = off`;
      const rows = await tx`
        explain (format json) select chunk_id from knowledge_embedding where tenant_id = ${TENANTS[0]} and embedding_space_id = ${TENANTS[0]}`;
      return JSON.stringify(rows[0]);
    });
    expect(plan).toMatch(/knowledge_embedding_tenant_id_embedding_space_id_chunk_id_pk|knowledge_embedding_of_chunk/);
  });
});
