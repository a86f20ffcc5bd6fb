import { readFileSync } from 'node:fs';
import path from 'node:path';
import postgres from 'postgres';

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

/** How many rows each of the product's tables holds. */
export async function countRows(sql: postgres.Sql): Promise<Record<string, number>> {
  const tables = await sql`select tablename from pg_tables where schemaname = 'public' order by tablename`;
  const counts = await Promise.all(
    tables.map(async ({ tablename }) => {
      const [row] = await sql`select count(*)::int as rows from ${sql(String(tablename))}`;
      return [String(tablename), Number(row?.rows)] as const;
    }),
  );
  return Object.fromEntries(counts);
}
