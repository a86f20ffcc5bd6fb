import { readFileSync } from 'node:fs';
import path from 'node:path';
import postgres from 'postgres';
import { openDatabase } from '#db/client.ts';
import { migrate } from '#db/migrate.ts';
import { createUnitOfWork } from '#db/unit-of-work.ts';
import { composeModels } from '#lib/composition/models.ts';
import { composeTenancy } from '#lib/composition/tenancy.ts';
import { readConfig } from '#lib/config/index.ts';
import { prepareEngine } from '#lib/durable/adapters/prepare-engine.ts';
import { systemClock } from '#lib/kernel/index.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../embedded-postgres/index.ts';
import { signal } from '../processes.ts';

const TENANT = 'crash';
const TEMPLATE = 'prepared';
/** A crash of the machine is not what is tested; what Postgres says is committed must outlive its own death all the same. */
const SETTINGS = { fsync: 'off', max_connections: '400' };

/** A Postgres of this script's own, with a tenant and an API key in every database it hands out. */
export interface ScratchCluster {
  readonly tenant: string;
  readonly apiKey: string;
  /** A copy of the prepared database; gives the owner's address. */
  createDatabase(name: string): Promise<string>;
  dropDatabase(name: string): Promise<void>;
  /** Ends the server at once: SIGKILL of the postmaster, or SIGQUIT, which is `stop -m immediate`. */
  crash(how: 'SIGKILL' | 'SIGQUIT'): Promise<void>;
  /** Starts it again on its port. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

export async function startScratchCluster(directory: string): Promise<ScratchCluster> {
  const start = (port?: number) =>
    startEmbeddedPostgres({ directory, database: TEMPLATE, settings: SETTINGS, ...(port !== undefined && { port }) });
  let server: EmbeddedPostgres = await start();
  const { port } = server;
  const urlOf = (database: string) => Object.assign(new URL(server.url), { pathname: `/${database}` }).href;
  const asOwner = async (statement: (sql: postgres.Sql) => Promise<unknown>) => {
    const sql = postgres(urlOf('postgres'), { max: 1, onnotice: () => undefined });
    try {
      await statement(sql);
    } finally {
      await sql.end({ timeout: 1 });
    }
  };
  try {
    const apiKey = await prepare(server.url);
    return {
      tenant: TENANT,
      apiKey,
      createDatabase: async (name) => {
        await asOwner((sql) => sql`create database ${sql(name)} template ${sql(TEMPLATE)}`);
        return urlOf(name);
      },
      dropDatabase: (name) => asOwner((sql) => sql`drop database if exists ${sql(name)} with (force)`),
      crash: async (how) => {
        signal(Number(readFileSync(path.join(directory, 'postmaster.pid'), 'utf8').split('\n', 1)[0]), how);
        await server.ended;
      },
      restart: async () => {
        server = await start(port);
      },
      stop: () => server.stop(),
    };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/** Tables, engine, one tenant and the API key of its owner, by the product's own use cases. */
async function prepare(databaseUrl: string): Promise<string> {
  await migrate({ databaseUrl });
  await prepareEngine({ databaseUrl });
  const config = readConfig({ DATABASE_URL: databaseUrl, BAILIWICK_SECRET: 'crash-points-'.repeat(3) });
  const database = openDatabase({ databaseUrl, role: 'bailiwick_app', max: 2, name: 'crash' });
  try {
    const parts = { config, clock: systemClock, database, unitOfWork: createUnitOfWork(database.orm, systemClock) };
    const tenancy = composeTenancy(parts);
    const models = composeModels(parts);
    const person = { email: 'owner@crash.example', name: 'Owner', password: 'correct horse battery staple' };
    await tenancy.createWorkspace({ slug: TENANT, name: 'Crash points', person }, { isTrusted: true, account: null });
    const sender = { ip: '127.0.0.1', userAgent: 'crash' };
    const signedIn = await tenancy.signInWithPassword({ email: person.email, password: person.password }, sender);
    const actor = await tenancy.resolveActor(TENANT, { kind: 'sign-in', ...signedIn });
    // For the points that have a model; where none is set up, requests are planned as ever.
    await models.useCases.setModelPolicy(actor, { isEnabled: true, fallsBack: false });
    const scopes = [
      'tenant:read',
      'conversation:read',
      'conversation:write',
      'run:read',
      'capability:read',
      'capability:invoke',
      'approval:decide',
    ];
    return (await tenancy.createApiKey(actor, { name: 'crash', scopes })).key;
  } finally {
    await database.close();
  }
}
