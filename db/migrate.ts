import { fileURLToPath } from 'node:url';
import { DrizzleQueryError } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/postgres-js';
import { migrate as applyMigrations } from 'drizzle-orm/postgres-js/migrator';
import { openSql } from './client.ts';
import { createVectorExtension } from './vector-extension.ts';

/** Any number will do; every process that migrates takes the same. */
const MIGRATION_LOCK = 4_711_001;

/**
 * Brings the schema up to date; a second process that starts meanwhile waits for the first. Throws the database's own
 * sentence when the user of `databaseUrl` may not create roles.
 */
export async function migrate(options: { databaseUrl: string }): Promise<void> {
  const sql = openSql({ databaseUrl: options.databaseUrl, role: 'owner', max: 1, name: 'migrate' });
  try {
    await sql`select pg_advisory_lock(${MIGRATION_LOCK})`;
    await applyMigrations(drizzle(sql), { migrationsFolder: fileURLToPath(new URL('./migrations', import.meta.url)) });
    await createVectorExtension(sql);
  } catch (error) {
    // Drizzle says which statement failed, at its full length, and keeps the reason behind it.
    throw error instanceof DrizzleQueryError && error.cause ? error.cause : error;
  } finally {
    await sql.end({ timeout: 5 });
  }
}
