import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { migrate } from '#db/migrate.ts';
import { startEmbeddedPostgres, systemBinaries } from '../embedded-postgres/index.ts';

/** What a crash of the machine would lose does not matter here. */
const SETTINGS = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '400' };

/**
 * Before the integration tests: one Postgres server in a temporary folder, with one migrated database that
 * `createTestDatabase` copies. `TEST_POSTGRES=15` takes Debian's server of that version. Where TEST_DATABASE_URL names such
 * a database already, that one is used and left.
 */
export default async function setUp(): Promise<() => Promise<void>> {
  if (process.env.TEST_DATABASE_URL) return async () => undefined;
  const folder = mkdtempSync(path.join(tmpdir(), 'bailiwick-test-'));
  const server = await startEmbeddedPostgres({
    directory: path.join(folder, 'pg'),
    database: 'migrated',
    settings: SETTINGS,
    ...chosenBinaries(),
  });
  const tearDown = async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await migrate({ databaseUrl: server.url });
  } catch (error) {
    await tearDown();
    throw error;
  }
  process.env.TEST_DATABASE_URL = server.url;
  return tearDown;
}

function chosenBinaries() {
  const wanted = process.env.TEST_POSTGRES;
  if (!wanted) return {};
  const binaries = systemBinaries(Number(wanted));
  if (!binaries) throw new Error(`TEST_POSTGRES=${wanted}: Debian's postgresql-${wanted} is not installed`);
  return { binaries };
}
