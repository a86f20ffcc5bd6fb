import { randomBytes } from 'node:crypto';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '../scripts/free-port.ts';
import { endOf, endOwned, spawnOwned } from '../scripts/owned-process.ts';
import { openOwnerDatabase, ownerDatabaseUrl } from './owner-database.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
const READY_WITHIN_MS = 60_000;

/** A product of a test's own beside the shared one: the same build, a database of its own on the same Postgres. */
export interface ProductInstance {
  readonly origin: string;
  readonly database: string;
  /** Where it keeps its demo account. */
  readonly dataDirectory: string;
  /** Settles when the server has ended, wanted or not. */
  readonly ended: Promise<number>;
  stop(): Promise<void>;
}

/** Creates an empty database and prepares it as `npm start` would; again with the same name, it only prepares. */
export async function prepareDatabase(database: string, env: NodeJS.Dict<string> = {}): Promise<void> {
  const sql = openOwnerDatabase('postgres');
  try {
    const found = await sql`select 1 from pg_database where datname = ${database}`;
    if (found.length === 0) await sql`create database ${sql(database)}`;
  } finally {
    await sql.end();
  }
  const settings = settingsOf(database, env);
  await withLog(settings.logFile, async (log) => {
    const script = path.join(ROOT, 'scripts', 'prepare-database.ts');
    const child = spawnOwned([script], { cwd: ROOT, env: settings.env, output: log, graceMs: 0 });
    if ((await endOf(child)) !== 0) throw new Error(`${database} could not be prepared:\n${readFileSync(settings.logFile, 'utf8')}`);
  });
}

/** Serves a prepared database on a port of its own, until `stop`. */
export async function startInstance(database: string, env: NodeJS.Dict<string> = {}): Promise<ProductInstance> {
  const settings = settingsOf(database, env);
  const port = await findFreePort();
  const origin = `http://127.0.0.1:${port}`;
  const child = await withLog(settings.logFile, async (log) =>
    spawnOwned([path.join(ROOT, 'node_modules', 'next', 'dist', 'bin', 'next'), 'start', '-H', '127.0.0.1', '-p', String(port)], {
      cwd: ROOT,
      env: { ...settings.env, PORT: String(port), NODE_ENV: 'production', NEXT_MANUAL_SIG_HANDLE: 'true' },
      output: log,
      graceMs: 0,
    }),
  );
  const ended = endOf(child);
  const until = Date.now() + READY_WITHIN_MS;
  while (!(await isReady(origin))) {
    const isGone = child.exitCode !== null || child.signalCode !== null;
    if (isGone || Date.now() > until) throw new Error(`${database} is not served:\n${readFileSync(settings.logFile, 'utf8')}`);
    await sleep(50);
  }
  return { origin, database, dataDirectory: settings.dataDirectory, ended, stop: () => endOwned(child, 2_000) };
}

/** A name for a database that no other test has. */
export function newDatabaseName(purpose: string): string {
  return `e2e_${purpose}_${randomBytes(4).toString('hex')}`;
}

function settingsOf(database: string, env: NodeJS.Dict<string>) {
  const dataDirectory = path.join(process.env.E2E_DATA_DIR ?? '', database);
  mkdirSync(dataDirectory, { recursive: true, mode: 0o700 });
  return {
    dataDirectory,
    logFile: path.join(dataDirectory, 'output.log'),
    env: {
      ...process.env,
      DATABASE_URL: ownerDatabaseUrl(database),
      BAILIWICK_SECRET: `${database}-`.padEnd(40, 'x'),
      DATA_DIR: dataDirectory,
      HOST: '127.0.0.1',
      LOG_LEVEL: 'warn',
      DRAIN_MS: '500',
      TEST_EFFECTS_URL: `http://127.0.0.1:${process.env.E2E_EFFECTS_PORT}/`,
      RECONCILE_TICK_MS: '1000',
      SIGN_IN_ATTEMPTS: '1000',
      REQUESTS_PER_USER: '0',
      REQUESTS_PER_KEY: '0',
      REQUESTS_PER_TENANT: '0',
      ...env,
    },
  };
}

async function withLog<Result>(file: string, work: (log: number) => Promise<Result>): Promise<Result> {
  const log = openSync(file, 'a', 0o600);
  try {
    return await work(log);
  } finally {
    closeSync(log);
  }
}

async function isReady(origin: string): Promise<boolean> {
  try {
    return (await fetch(`${origin}/api/readyz`, { signal: AbortSignal.timeout(5_000) })).ok;
  } catch {
    return false;
  }
}
