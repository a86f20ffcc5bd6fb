import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import { findFreePort } from '../free-port.ts';
import { bundledBinaries, type PostgresBinaries } from './binaries.ts';
import { createCluster } from './create-cluster.ts';
import { endLeftover } from './leftover.ts';
import { type RunningServer, runServer } from './run-server.ts';
import { chooseServerAccount, giveTo } from './server-account.ts';

export { type PostgresBinaries, systemBinaries } from './binaries.ts';

export interface EmbeddedPostgres {
  /** The superuser's address, with its password. */
  readonly url: string;
  readonly port: number;
  /** Settles when the server has ended, wanted or not. */
  readonly ended: Promise<void>;
  /** Closes the connections, writes everything out and ends the server. */
  stop(): Promise<void>;
}

export interface EmbeddedPostgresOptions {
  /** Holds the cluster; created when missing. Its log and its password stand beside it, as `<directory>.log` and `.password`. */
  readonly directory: string;
  /** A free one when absent. */
  readonly port?: number;
  /** Created when missing. */
  readonly database?: string;
  /** Further server settings, as `-c name=value`. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Another Postgres than the one that npm brought. */
  readonly binaries?: PostgresBinaries;
}

const ATTEMPTS = 40;

/** For two cores and a machine that does other things as well. */
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  shared_buffers: '128MB',
  max_wal_size: '1GB',
  wal_compression: 'on',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
};

/**
 * Starts a real Postgres server on loopback over the cluster in `directory`, which is made on first use. The server ends
 * with this process, even by SIGKILL; one that was left behind all the same is stopped first. Throws with the server's
 * own words when it cannot start.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const directory = path.resolve(options.directory);
  const binaries = options.binaries ?? (await bundledBinaries());
  mkdirSync(path.dirname(directory), { recursive: true, mode: 0o700 });
  const account = chooseServerAccount(binaries.postgres);
  if (account.kind === 'user') openWay(path.dirname(directory));
  const password = readPassword(`${directory}.password`);
  if (existsSync(path.join(directory, 'PG_VERSION'))) {
    requireMajor(directory, binaries.major);
    await endLeftover(directory);
    giveTo(account, directory);
  } else {
    createCluster({ directory, binaries, account, password });
  }
  const { server, port } = await startPatiently(options, { directory, binaries, account });
  const url = (database: string) => `postgres://postgres:${password}@127.0.0.1:${port}/${database}`;
  const database = options.database ?? 'bailiwick';
  try {
    await createDatabase(url('postgres'), database);
  } catch (error) {
    await server.stop();
    throw error;
  }
  return { url: url(database), port, ended: server.ended, stop: () => server.stop() };
}

/** What the dead leave behind (a lock that a zombie still holds, shared memory, a port) is gone after a few seconds. */
async function startPatiently(
  options: EmbeddedPostgresOptions,
  place: Pick<Parameters<typeof runServer>[0], 'directory' | 'binaries' | 'account'>,
): Promise<{ server: RunningServer; port: number }> {
  for (let attempt = 1; ; attempt += 1) {
    const port = options.port ?? (await findFreePort());
    const started = await runServer({ ...place, settings: { ...SETTINGS, ...options.settings, port: String(port) } });
    if (started.ok) return { server: started.server, port };
    const mayPass = /already exists|shared memory block|could not bind|Address already in use/.test(started.log);
    if (!mayPass || attempt === ATTEMPTS) throw new Error(`Postgres did not start:\n${started.log.trim()}`);
    await sleep(500);
  }
}

function readPassword(file: string): string {
  if (!existsSync(file)) writeFileSync(file, randomBytes(24).toString('hex'), { mode: 0o600 });
  return readFileSync(file, 'utf8').trim();
}

/** Another user must get to its folder; what lies beside it is readable by root alone. */
function openWay(parent: string): void {
  chmodSync(parent, statSync(parent).mode | 0o011);
}

function requireMajor(directory: string, major: number): void {
  const found = readFileSync(path.join(directory, 'PG_VERSION'), 'utf8').trim();
  if (found !== String(major)) {
    throw new Error(
      `${directory} was written by PostgreSQL ${found}, and this is ${major}. Start with the version that wrote it, or move it away.`,
    );
  }
}

async function createDatabase(url: string, name: string): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  try {
    const found = await sql`select 1 from pg_database where datname = ${name}`;
    if (found.length === 0) await sql`create database ${sql(name)}`;
  } finally {
    await sql.end();
  }
}
