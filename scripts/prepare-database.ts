// What must be true of the database before the server starts: every table, the engine's too, and the demo where one is wanted.
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { openDatabase } from '#db/client.ts';
import { migrate } from '#db/migrate.ts';
import { readHandbook } from '#db/seed/handbook.ts';
import { createUnitOfWork } from '#db/unit-of-work.ts';
import { composeTenancy, isDemoWanted } from '#lib/composition/tenancy.ts';
import { type Config, readConfig } from '#lib/config/index.ts';
import { prepareEngine } from '#lib/durable/adapters/prepare-engine.ts';
import { type Id, messageOf, newId, systemClock } from '#lib/kernel/index.ts';
import { indexDocument } from '#lib/knowledge/index.ts';

const seededHandbook = z.object({ tenantId: z.string() });
const demoAccount = z.object({ tenant: z.string(), email: z.string(), password: z.string().min(12) });

try {
  const config = readConfig();
  await migrate({ databaseUrl: config.databaseUrl });
  await prepareEngine({ databaseUrl: config.databaseUrl });
  if (isDemoWanted(config)) await seedDemo(config);
} catch (error) {
  console.error(messageOf(error));
  process.exitCode = 1;
}

async function seedDemo(config: Config): Promise<void> {
  const database = openDatabase({ databaseUrl: config.databaseUrl, role: 'bailiwick_app', max: 2, name: 'seed' });
  try {
    const unitOfWork = createUnitOfWork(database.orm, systemClock);
    const { ensureDemoTenant } = composeTenancy({ config, clock: systemClock, database, unitOfWork });
    const file = path.resolve(process.env.DATA_DIR || '.data', 'demo.json');
    const password = findPassword(file) ?? randomBytes(12).toString('base64url');
    const demo = await ensureDemoTenant({ password });
    if (!demo) return console.error('There is no demo: a tenant that is no demo has its address, /demo.');
    await seedHandbook(unitOfWork, demo.tenantId);
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(file, `${JSON.stringify({ tenant: demo.slug, email: demo.email, password }, null, 2)}\n`, { mode: 0o600 });
  } finally {
    await database.close();
  }
}

/** All of it or nothing, and only once: what people have changed or removed since stays changed. */
async function seedHandbook(unitOfWork: ReturnType<typeof createUnitOfWork>, tenantId: Id<'tenant'>): Promise<void> {
  await unitOfWork.within({ tenantId }, async ({ documents, settings, audit }) => {
    // An earlier demo may have been deleted with its documents.
    if (seededHandbook.safeParse(await settings.find('demo-handbook')).data?.tenantId === tenantId) return;
    for (const { title, language, body } of readHandbook()) {
      const id = newId('document');
      await documents.put({ document: { id, title, language, body }, chunks: indexDocument(title, body), expectedVersion: null });
      await audit.record({ type: 'document.created', target: { kind: 'document', id, name: title }, details: { seed: true } });
    }
    await settings.put('demo-handbook', { tenantId });
  });
}

/** The password of earlier starts, so that it stays the same. */
function findPassword(file: string): string | null {
  if (!existsSync(file)) return null;
  const parsed = demoAccount.safeParse(JSON.parse(readFileSync(file, 'utf8')));
  return parsed.success ? parsed.data.password : null;
}
