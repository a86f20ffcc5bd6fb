import { readFileSync } from 'node:fs';
import path from 'node:path';
import postgres from 'postgres';
import { type IdKind, parseId, toUuid } from '#lib/kernel/index.ts';

/** The address of a database on the server that the product under test runs for itself, as its superuser. */
export function ownerDatabaseUrl(database = 'bailiwick'): string {
  const cluster = path.join(process.env.E2E_DATA_DIR ?? '', 'pg');
  const password = readFileSync(`${cluster}.password`, 'utf8').trim();
  // The fourth line of the lock file is the port the server was started on.
  const port = readFileSync(path.join(cluster, 'postmaster.pid'), 'utf8').split('\n')[3];
  return `postgres://postgres:${password}@127.0.0.1:${port}/${database}`;
}

/** Past row-level security: to look at what was written, never to set a scene that the API could set. */
export function openOwnerDatabase(database?: string): postgres.Sql {
  return postgres(ownerDatabaseUrl(database), { max: 2, onnotice: () => undefined });
}

/** How many rows each of the product's tables holds for a tenant. */
export async function countRowsOfTenant(
  sql: postgres.Sql,
  slug: string,
  { except }: { except: readonly string[] },
): Promise<Record<string, number>> {
  const tables = await sql`
    select c.relname as name from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and c.relkind = 'r' and a.attname = 'tenant_id' and c.relname <> all(${[...except]})
    order by c.relname`;
  const counts = await Promise.all(
    tables.map(async ({ name }) => {
      const [row] = await sql`
        select count(*)::int as rows from ${sql(String(name))} where tenant_id = (select id from tenant where slug = ${slug})`;
      return [String(name), Number(row?.rows)] as const;
    }),
  );
  return Object.fromEntries(counts);
}

/** An id of the API as its column holds it. Throws for anything else. */
export function uuidOf(kind: IdKind, text: string): string {
  const id = parseId(kind, text);
  if (!id) throw new Error(`${text} is no id of a ${kind}`);
  return toUuid(id);
}
