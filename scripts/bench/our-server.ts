import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { openDatabase } from '#db/client.ts';
import { createUnitOfWork } from '#db/unit-of-work.ts';
import { composeTenancy } from '#lib/composition/tenancy.ts';
import { readConfig } from '#lib/config/index.ts';
import { fromUuid, systemClock } from '#lib/kernel/index.ts';
import { endOf, spawnOwned } from '../owned-process.ts';
import { buildIfChanged } from '../start/build.ts';
import { type MeasuredProcess, startMeasured } from './measured-process.ts';

/** The product as it is deployed, with a tenant and an API key to drive it. */
export interface OurServer extends MeasuredProcess {
  readonly tenant: string;
  readonly apiKey: string;
}

const TENANT = 'bench';
const SCOPES = [
  'conversation:read',
  'conversation:write',
  'run:read',
  'capability:invoke',
  'knowledge:read',
  'model:manage',
  'budget:manage',
] as const;

/**
 * Builds when the sources changed, prepares the empty database at `databaseUrl`, and starts the production server on it.
 * The scripted model is offered, and used once `ourApi().useModel` has
 * switched models on; test capabilities such as `stream chunks` are there.
 */
export async function startOurServer(options: { root: string; databaseUrl: string; modelUrl: string; folder: string }): Promise<OurServer> {
  const dataDirectory = path.join(options.folder, 'data');
  mkdirSync(dataDirectory, { recursive: true });
  await buildIfChanged(options.root, dataDirectory);
  const env = {
    ...process.env,
    DATABASE_URL: options.databaseUrl,
    DATA_DIR: dataDirectory,
    BAILIWICK_SECRET: randomBytes(32).toString('hex'),
    DEMO: '0',
    TEST_EFFECTS_URL: `${options.modelUrl}/effects`,
    COMPATIBLE_BASE_URL: `${options.modelUrl}/v1`,
    COMPATIBLE_API_KEY: 'none',
    COMPATIBLE_MODEL: 'bench',
    OUTBOUND_ALLOW: '127.0.0.1',
    // Counted like everybody's, and never reached.
    REQUESTS_PER_USER: '1000000000',
    REQUESTS_PER_KEY: '1000000000',
    REQUESTS_PER_TENANT: '1000000000',
    NEXT_TELEMETRY_DISABLED: '1',
  };
  const prepare = spawnOwned([path.join(options.root, 'scripts', 'prepare-database.ts')], {
    cwd: options.root,
    env,
    output: 'inherit',
    graceMs: 0,
  });
  if ((await endOf(prepare)) !== 0) throw new Error('The database could not be prepared: the reason stands above.');
  const apiKey = await makeTenantWithKey(env);
  const server = await startMeasured({
    name: 'ours',
    cwd: options.root,
    args: (port) => [
      path.join(options.root, 'node_modules', 'next', 'dist', 'bin', 'next'),
      'start',
      '-H',
      '127.0.0.1',
      '-p',
      String(port),
    ],
    env: (port) => ({
      ...env,
      HOST: '127.0.0.1',
      PORT: String(port),
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      NEXT_MANUAL_SIG_HANDLE: 'true',
    }),
    readyPath: '/api/readyz',
    databasePort: Number(new URL(options.databaseUrl).port),
    folder: options.folder,
  });
  return { ...server, tenant: TENANT, apiKey };
}

async function makeTenantWithKey(env: NodeJS.Dict<string>): Promise<string> {
  const config = readConfig(env);
  const database = openDatabase({ databaseUrl: config.databaseUrl, role: 'bailiwick_app', max: 2, name: 'bench' });
  const owner = openDatabase({ databaseUrl: config.databaseUrl, role: 'owner', max: 1, name: 'bench owner' });
  try {
    const tenancy = composeTenancy({ config, clock: systemClock, database, unitOfWork: createUnitOfWork(database.orm, systemClock) });
    await tenancy.createWorkspace(
      {
        slug: TENANT,
        name: 'Bench',
        person: { email: 'bench@example.com', name: 'Bench', password: randomBytes(16).toString('hex') },
      },
      { isTrusted: true, account: null },
    );
    const [row] =
      await owner.sql`select t.id as tenant, m.user_id as person from tenant t join tenant_member m on m.tenant_id = t.id where t.slug = ${TENANT}`;
    const person = await tenancy.actorOfRun({
      tenantId: fromUuid('tenant', String(row?.tenant)),
      userId: fromUuid('user', String(row?.person)),
      apiKeyId: null,
    });
    const { key } = await tenancy.createApiKey(person, { name: 'bench', scopes: [...SCOPES] });
    return key;
  } finally {
    await Promise.all([database.close(), owner.close()]);
  }
}
