import { mkdtempSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import postgres from 'postgres';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startEffectsServer } from '#e2e/effects-server.ts';
import { verifies } from '#e2e/verifies.ts';
import { createApplication } from '#lib/composition/application.ts';
import { readConfig } from '#lib/config/index.ts';
import { prepareEngine } from '#lib/durable/adapters/prepare-engine.ts';
import { type Id, isAppError, toUuid } from '#lib/kernel/index.ts';
import type { Actor } from '#lib/tenancy/index.ts';
import { type ProductProcess, startProductProcess } from '../../scripts/crash/product-process.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { startMailServer } from './notified-people.ts';
import { eventually } from './run-lab.ts';

/** What waits for people while the processes around it are really killed: by SIGKILL, so that nothing can be tidied up. */

let database: TestDatabase;
let sql: postgres.Sql;
let effects: Server;
let mail: Awaited<ReturnType<typeof startMailServer>>;
/** What people's browsers ask; it drives no runs and tells nobody. */
let web: Awaited<ReturnType<typeof createApplication>>;
let actor: Actor;
let folder: string;
let environment: Record<string, string>;
const alive: ProductProcess[] = [];

const ALLOW: Parameters<typeof web.decideApproval>[2] = { decision: 'allow', extent: 'once', sameArguments: [] };

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'bailiwick-waiting-'));
  database = await createTestDatabase();
  const { databaseUrl } = database;
  await prepareEngine({ databaseUrl });
  sql = postgres(databaseUrl, { max: 2, onnotice: () => undefined });
  [effects, mail] = [await startEffectsServer(0), await startMailServer()];
  environment = {
    BAILIWICK_SECRET: 'killed-waiting-'.repeat(3),
    SMTP_URL: mail.url,
    MAIL_FROM: 'bailiwick@example.test',
    MAIL_DELAY_MS: '0',
  };
  web = await createApplication(
    readConfig({ ...environment, DATABASE_URL: databaseUrl, TEST_EFFECTS_URL: effectsUrl(), ROLE: 'web', DEMO: '0', LOG_LEVEL: 'silent' }),
  );
  const person = { email: 'owner@waiting.example', name: 'Owner', password: 'correct horse battery staple' };
  await web.createWorkspace({ slug: 'waiting', name: 'Waiting', person }, { isTrusted: true, account: null });
  const signedIn = await web.signInWithPassword(person, { ip: '127.0.0.1', userAgent: 'test' });
  actor = await web.resolveActor('waiting', { kind: 'sign-in', ...signedIn });
});
afterEach(async () => {
  for (const process of alive.splice(0)) await process.kill();
});
afterAll(async () => {
  await web.stop(0);
  await Promise.all([sql.end(), mail.close(), new Promise((resolve) => effects.close(resolve))]);
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

function effectsUrl(): string {
  return `http://127.0.0.1:${(effects.address() as AddressInfo).port}`;
}

async function start(name: string, faultPoint?: string): Promise<ProductProcess> {
  const started = await startProductProcess({
    kind: 'worker',
    name,
    databaseUrl: database.databaseUrl,
    effectsUrl: effectsUrl(),
    logFile: path.join(folder, `${name}.log`),
    env: environment,
    ...(faultPoint !== undefined && { faultPoint }),
  });
  alive.push(started);
  return started;
}

async function submit(label: string): Promise<Id<'run'>> {
  const session = await web.createSession(actor, {});
  return (await web.submitMessage(actor, { sessionId: session.id as Id<'session'>, text: `destructive effect "${label}"` })).runId;
}

const openApproval = (runId: Id<'run'>) =>
  eventually(async () => (await web.readInbox(actor)).approvals.find((approval) => approval.runId === runId && approval.state === 'OPEN'));

async function countEffects(label: string): Promise<number> {
  const made = (await (await fetch(effectsUrl())).json()) as { label: string }[];
  return made.filter((effect) => effect.label === label).length;
}

describe('an approval that waits', () => {
  verifies('H-13', 'outlives every process by SIGKILL, is decided once by two tabs at once, and acts once', async () => {
    const first = await start('first');
    const runId = await submit('survives');
    const asked = await openApproval(runId);
    await first.kill();
    // Nobody drives runs now: what waits is there as it was, for whoever loads the page again.
    const [again, state] = [await openApproval(runId), async () => (await web.getRun(actor, runId)).state];
    expect(again).toEqual(asked);
    expect(await state()).toBe('WAITING');

    const decide = (decision: Parameters<typeof web.decideApproval>[2]) =>
      web.decideApproval(actor, asked.id as Id<'approval'>, decision).then(
        (decided) => decided.state,
        (error: unknown) => (isAppError(error) ? error.code : String(error)),
      );
    const said = await Promise.all([decide(ALLOW), decide(ALLOW)]);
    expect(said.sort()).toEqual(['APPROVED', 'already_decided']);
    expect(await countEffects('survives')).toBe(0);

    await Promise.all([start('second'), start('third')]);
    await eventually(async () => (await state()) === 'FINISH_OK');
    expect(await countEffects('survives')).toBe(1);
    const asks = await sql`select from audit_event where run_id = ${toUuid(runId)} and type = 'approval.requested'`;
    expect(asks).toHaveLength(1);
  });

  it('is told by mail though the process that was telling is killed, under the same id where it is told again', async () => {
    mail.mails.length = 0;
    const first = await start('telling', 'notification.sent:1');
    const runId = await submit('told');
    await first.ended;
    const waiting = async () => sql`
      select d.state, d.attempt_count, count(a.*)::int as attempts from notice n
      join notice_delivery d on d.tenant_id = n.tenant_id and d.notice_id = n.id
      left join notice_attempt a on a.tenant_id = d.tenant_id and a.delivery_id = d.id
      where n.run_id = ${toUuid(runId)} group by d.id`;
    expect(await waiting()).toMatchObject([{ state: 'PENDING', attempt_count: 1, attempts: 0 }]);
    // It is carried on once its process has been silent for a while: that it was, is made true.
    await sql`update notice_delivery set leased_until = now() where leased_until is not null`;
    await Promise.all([start('telling again'), start('telling too')]);
    await eventually(async () => (await waiting()).every(({ state }) => state === 'DELIVERED'));
    expect(await waiting()).toMatchObject([{ state: 'DELIVERED', attempt_count: 2, attempts: 1 }]);
    const ids = mail.mails.map(({ raw }) => /^Message-ID: (.*)$/m.exec(raw)?.[1]);
    expect([ids.length, new Set(ids).size]).toEqual([2, 1]);
  });
}, 120_000);
