import type { Sql } from 'postgres';

/**
 * Creates the extension `vector` where the server has it and this user may. Where it has not, or may not, nothing fails:
 * documents are searched by their words, and the console says why. Each start looks again.
 */
export async function createVectorExtension(sql: Sql): Promise<void> {
  const [row] = await sql`
    select exists (select from pg_available_extensions where name = 'vector') and not exists (select from pg_extension where extname = 'vector') as due`;
  if (row?.due !== true) return;
  await sql`create extension if not exists vector schema public`.catch(() => undefined);
}
