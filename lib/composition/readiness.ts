import type { Sql } from 'postgres';
import { isMigrated } from '#db/applied-migrations.ts';
import { openSql } from '#db/client.ts';
import { log } from '#lib/telemetry/index.ts';

export interface Readiness {
  readonly isReady: boolean;
  readonly checks: { readonly database: boolean; readonly migrations: boolean; readonly engine: boolean };
}

/** Whether this process can work: it reaches the database, which has every table this version needs, and its engine runs. */
export function composeReadiness(parts: { databaseUrl: string; sql: Sql; isEngineReady: () => boolean }): () => Promise<Readiness> {
  // Migrations are applied before the server starts: once they are there, they stay.
  let hasTables = false;
  return async () => {
    const database = await holds('database', async () => (await parts.sql`select 1`).length === 1);
    if (database && !hasTables) hasTables = await holds('migrations', () => isMigratedAt(parts.databaseUrl));
    const checks = { database, migrations: hasTables, engine: parts.isEngineReady() };
    return { isReady: Object.values(checks).every(Boolean), checks };
  };
}

async function isMigratedAt(databaseUrl: string): Promise<boolean> {
  const sql = openSql({ databaseUrl, role: 'owner', max: 1, name: 'readiness' });
  try {
    return await isMigrated(sql);
  } finally {
    await sql.end({ timeout: 1 });
  }
}

async function holds(name: string, check: () => Promise<boolean>): Promise<boolean> {
  try {
    return await check();
  } catch (error) {
    log.warn({ err: error, check: name }, 'not ready');
    return false;
  }
}
