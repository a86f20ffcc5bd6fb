// Starts a scratch Postgres and the product on it, prints the environment that peers-entry.mjs reads, and stays until Ctrl-C.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { ourApi } from './our-lane.ts';
import { startOurServer } from './our-server.ts';
import { startScratchDatabase } from './scratch-database.ts';

const { values } = parseArgs({
  options: { sessions: { type: 'string', default: '3000' }, 'model-url': { type: 'string', default: 'http://127.0.0.1:21999' } },
});
const root = path.resolve(import.meta.dirname, '..', '..');
mkdirSync(path.join(root, '.tmp'), { recursive: true });
const folder = mkdtempSync(path.join(root, '.tmp', 'peers-'));
const database = 'product';

await using owned = new AsyncDisposableStack();
owned.defer(() => rmSync(folder, { recursive: true, force: true }));
const scratch = await startScratchDatabase(path.join(folder, 'pg'));
owned.defer(() => scratch.stop());
const databaseUrl = await scratch.create(database);
const server = await startOurServer({ root, folder, databaseUrl, modelUrl: values['model-url'] });
await ourApi(server).useModel(true);
owned.defer(() => server.stop());
const sessionsFile = path.join(folder, 'sessions');
writeFileSync(sessionsFile, (await ourApi(server).newSessions(Number(values.sessions))).join('\n'));

const harnessDatabase = new URL(databaseUrl);
harnessDatabase.pathname = '/postgres';
const environment = {
  BENCH_PG: harnessDatabase.href,
  PRODUCT_URL: server.url,
  PRODUCT_PID: String(server.pid),
  PRODUCT_DB: database,
  PRODUCT_TENANT: server.tenant,
  PRODUCT_TOKEN: server.apiKey,
  PRODUCT_SESSIONS: sessionsFile,
};
for (const [name, value] of Object.entries(environment)) console.log(`export ${name}='${value}'`);
await new Promise<void>((resolve) => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
});
