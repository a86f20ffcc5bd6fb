import { countMigrations } from '#db/applied-migrations.ts';
import { openSql } from '#db/client.ts';
import { readDatabaseHealth } from '#db/database-health.ts';
import type { Config } from '#lib/config/index.ts';
import type { Clock } from '#lib/kernel/index.ts';
import type { HealthView } from '#lib/tenancy/contract.ts';
import { type Account, requireOperator } from '#lib/tenancy/index.ts';
import manifest from '../../package.json' with { type: 'json' };

/** How the deployment stands, for its operators: nothing here is of any tenant. Throws `permission_denied`. */
export function composeHealth(parts: {
  config: Config;
  clock: Clock;
  engine: { isReady(): boolean; activeSegments(): number };
}): (account: Account) => Promise<HealthView> {
  const { config, clock, engine } = parts;
  const startedAt = clock.now().toISOString();
  return async (account) => {
    requireOperator(account);
    // As the owner: the others may not see each other's connections. Asked for seldom, so it is opened for the asking.
    const sql = openSql({ databaseUrl: config.databaseUrl, role: 'owner', max: 1, name: 'health' });
    try {
      const [database, migrations] = [await readDatabaseHealth(sql), await countMigrations(sql)];
      const { queue, processes, ...rest } = database;
      return {
        versions: { bailiwick: manifest.version, node: process.versions.node, engine: manifest.dependencies['@dbos-inc/dbos-sdk'] },
        process: { role: config.role, startedAt, isEmbeddedDatabase: config.isDatabaseEmbedded },
        database: rest,
        migrations,
        engine: { isReady: engine.isReady(), activeSegments: engine.activeSegments(), maxActiveSegments: config.maxActiveSegments },
        queue,
        processes,
      };
    } finally {
      await sql.end({ timeout: 1 });
    }
  };
}
