import { DBOS } from '@dbos-inc/dbos-sdk';
import postgres from 'postgres';
import { APPLICATION_NAME, APPLICATION_VERSION } from './dbos-run-engine.ts';

/** Any number will do; every process that prepares takes the same. */
const PREPARE_LOCK = 4_711_002;

/**
 * Creates or updates the engine's tables as the owner and grants the two roles that use them what they need: the engine's
 * everything, the app's what an enqueue writes. Safe to run again and in two processes at once.
 */
export async function prepareEngine(options: { databaseUrl: string }): Promise<void> {
  const sql = postgres(options.databaseUrl, { max: 1, onnotice: () => undefined });
  try {
    await sql`select pg_advisory_lock(${PREPARE_LOCK})`;
    DBOS.setConfig({
      name: APPLICATION_NAME,
      systemDatabaseUrl: options.databaseUrl,
      applicationVersion: APPLICATION_VERSION,
      executorID: 'prepare',
      logLevel: 'error',
      runAdminServer: false,
      listenQueues: [],
    });
    await DBOS.launch();
    await DBOS.shutdown({ deregister: true });
    await sql.unsafe(`
      grant usage on schema dbos to bailiwick_app, bailiwick_engine, bailiwick_platform;
      grant all on all tables in schema dbos to bailiwick_engine;
      grant all on all sequences in schema dbos to bailiwick_engine;
      grant execute on all functions in schema dbos to bailiwick_engine;
      grant select, insert, update on dbos.workflow_status to bailiwick_app, bailiwick_platform;
      grant select, insert on dbos.workflow_input to bailiwick_app, bailiwick_platform;
    `);
  } finally {
    await sql.end({ timeout: 5 });
  }
}
