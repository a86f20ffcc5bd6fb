import type { Sql } from 'postgres';
import journal from './migrations/meta/_journal.json' with { type: 'json' };

/** Whether every migration that this version brings has been applied. Needs a connection as the owner. */
export async function isMigrated(sql: Sql): Promise<boolean> {
  const { applied, expected } = await countMigrations(sql);
  return applied >= expected;
}

/** How many have been applied, and how many this version brings. Needs a connection as the owner. */
export async function countMigrations(sql: Sql): Promise<{ applied: number; expected: number }> {
  const [row] = await sql`select count(*)::int as applied from drizzle.__drizzle_migrations`;
  return { applied: Number(row?.applied), expected: journal.entries.length };
}
