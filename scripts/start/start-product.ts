import path from 'node:path';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../embedded-postgres/index.ts';
import { findPortFrom } from '../free-port.ts';
import { endOf, spawnOwned } from '../owned-process.ts';
import { identify } from '../processes.ts';
import { buildIfChanged } from './build.ts';
import { openDataDirectory, readDemoAccount, readSecret } from './data-directory.ts';
import { Ended, type EndRequest, listenForEnd } from './end-request.ts';
import { type RunRecord, takeRunLock } from './run-lock.ts';
import { step } from './step-log.ts';
import { reachable, startWebServer, type WebServer } from './web-server.ts';

const DRAIN_MARGIN_MS = 5_000;
const RESTARTS = { atMost: 5, withinMs: 60_000 };

/**
 * Runs Bailiwick until its end is asked for, and gives the exit code. When it runs already over the same data directory,
 * says where and gives 0. Throws with what a person can do about it when a step fails.
 */
export async function startProduct(root: string): Promise<number> {
  const dataDirectory = openDataDirectory(root);
  const taken = await takeRunLock(dataDirectory, console.log);
  if (!taken.taken) {
    console.log(describeHolder(taken.holder));
    return 0;
  }
  const { lock } = taken;
  const end = listenForEnd();
  await using owned = new AsyncDisposableStack();
  owned.defer(() => console.log('Stopped'));
  owned.defer(() => lock.release());
  console.log('\nStarting Bailiwick');
  try {
    const database = await startDatabase(dataDirectory, end);
    if (database) owned.defer(() => database.stop());
    const env = environment(dataDirectory, database?.url);
    await end.unlessAsked(
      step(
        'Preparing the database',
        () => prepareDatabase(root, env),
        () => 'Database is up to date',
      ),
    );
    await end.unlessAsked(
      step(
        'Building the pages (about a minute the first time)',
        () => buildIfChanged(root, dataDirectory),
        (wasNeeded) => (wasNeeded ? 'Pages are built' : 'Pages are built already'),
      ),
    );
    const host = process.env.HOST || '127.0.0.1';
    const port = await findPortFrom(host, Number(process.env.PORT || 3000));
    const url = process.env.PUBLIC_URL || `http://${reachable(host)}:${port}`;

    let server: WebServer | null = null;
    owned.defer(async () => {
      lock.update({ state: 'stopping' });
      const drainMs = Number(process.env.DRAIN_MS || 20_000);
      console.log(`\nStopping: what is running has ${Math.round(drainMs / 1000)} s to finish`);
      await server?.stop(drainMs + DRAIN_MARGIN_MS, end.hurried);
    });
    const serve = async () => {
      server = await startWebServer({ root, host, port, env });
      const identity = identify(server.pid);
      lock.update({ state: 'running', url, ...(identity && { server: identity }) });
      return server;
    };
    const first = await end.unlessAsked(step('Starting the server', serve, () => `Server answers on port ${port}`));
    console.log(welcome(url, dataDirectory));
    await superviseUntilEnd({ server: first, database, restart: serve, end });
  } catch (error) {
    if (!(error instanceof Ended)) throw error;
  }
  return 0;
}

async function startDatabase(dataDirectory: string, end: EndRequest): Promise<EmbeddedPostgres | null> {
  if (process.env.DATABASE_URL) return null;
  const start = step(
    'Starting the database',
    () => startEmbeddedPostgres({ directory: path.join(dataDirectory, 'pg') }),
    ({ port }) => `PostgreSQL answers on port ${port}`,
  );
  return end.unlessAsked(start);
}

/** What the product is told beside the caller's own environment. */
function environment(dataDirectory: string, embeddedUrl: string | undefined): NodeJS.Dict<string> {
  const shared = { ...process.env, DATA_DIR: dataDirectory };
  if (embeddedUrl) {
    const secret = process.env.BAILIWICK_SECRET || readSecret(dataDirectory);
    return { ...shared, DATABASE_URL: embeddedUrl, EMBEDDED_DATABASE: '1', BAILIWICK_SECRET: secret };
  }
  if (!process.env.BAILIWICK_SECRET) {
    throw new Error(
      'With DATABASE_URL set, BAILIWICK_SECRET must be set too (32 characters or more; `openssl rand -hex 32` makes one).\n' +
        'Keep it as long as the database: what is encrypted with it cannot be read without.',
    );
  }
  return shared;
}

async function prepareDatabase(root: string, env: NodeJS.Dict<string>): Promise<void> {
  const script = path.join(root, 'scripts', 'prepare-database.ts');
  const code = await endOf(spawnOwned([script], { cwd: root, env, output: 'inherit', graceMs: 0 }));
  if (code !== 0) throw new Error('The database could not be prepared: the reason stands above.');
}

/** Starts the server again when it dies by itself, unless it does so too often. Without its database it cannot go on. */
async function superviseUntilEnd(run: {
  server: WebServer;
  database: EmbeddedPostgres | null;
  restart: () => Promise<WebServer>;
  end: EndRequest;
}): Promise<void> {
  const deaths: number[] = [];
  const databaseEnded = run.database?.ended.then((): 'database' => 'database') ?? new Promise<never>(() => {});
  for (let server = run.server; ; ) {
    const ended = await run.end.unlessAsked(Promise.race([server.ended, databaseEnded]));
    if (ended === 'database') throw new Error('The database ended by itself: its log stands in pg.log in the data directory.');
    deaths.push(Date.now());
    const recent = deaths.filter((at) => at > Date.now() - RESTARTS.withinMs).length;
    if (recent > RESTARTS.atMost) throw new Error(`The server ended ${recent} times within a minute: giving up.`);
    console.log(`\nThe server ended by itself (exit code ${ended}): starting it again`);
    server = await run.end.unlessAsked(run.restart());
  }
}

function describeHolder(holder: RunRecord): string {
  if (holder.state === 'running' && holder.url) {
    return `Bailiwick is running already at ${holder.url} (process ${holder.starter.pid}). Stop that one first to start it anew.`;
  }
  return `Bailiwick is ${holder.state} already (process ${holder.starter.pid}). Its own output says where it gets to.`;
}

function welcome(url: string, dataDirectory: string): string {
  const demo = readDemoAccount(dataDirectory);
  const signIn = demo
    ? [
        `  Sign in   ${demo.email}`,
        `            ${demo.password}`,
        // Trusted by address alone: only from this machine.
        ...(/^https?:\/\/(127\.|localhost|\[::1\])/.test(url) ? [`  or        open ${url}/welcome for the demo tenant in one click`] : []),
      ]
    : [`  Sign in   ${url}/welcome`];
  return ['', `  Bailiwick runs at ${url}`, '', ...signIn, '  Stop      Ctrl-C', ''].join('\n');
}
