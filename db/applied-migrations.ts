import type { Sql } from 'postgres';
import journal from './migrations/meta/_journal.json' with { type: 'json' };

/** Whether every migration that this version brings has been applied. Needs a connection as the owner. */
export async function isMigrated(sql: Sql): Promise<boolean> {
  const [row] = await sql`select count(*)::int as applied from drizzle.__drizzle_migrations`;
  return Number(row?.applied) >= journal.entries.length;
}
