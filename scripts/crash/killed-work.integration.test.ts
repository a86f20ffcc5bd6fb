import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { openDatabase } from '#db/client.ts';
import { createUnitOfWork } from '#db/unit-of-work.ts';
import { composeTenancy } from '#lib/composition/tenancy.ts';
import { readConfig } from '#lib/config/index.ts';
import { sendMessageResult } from '#lib/conversations/contract.ts';
import { prepareEngine } from '#lib/durable/adapters/prepare-engine.ts';
import { type IdKind, newId, parseId, systemClock, toUuid } from '#lib/kernel/index.ts';
import { pluginOperationView, pluginView } from '#lib/plugins/contract.ts';
import { type ExportView, exportView, viewedRun } from '#lib/record/contract.ts';
import { PERMISSIONS } from '#lib/tenancy/index.ts';
import { createTestDatabase, type TestDatabase } from '#lib/testing/database.ts';
import { type ProductProcess, startProductProcess } from './product-process.ts';

/** Background work whose process is really killed: by SIGKILL, at a point that it passes, so that nothing can be tidied up. */

const SECRET = 'killed-work-'.repeat(4);
const RUNS = 120;
const PLUGIN = 'CAMPUS_ASSISTANT';
const STAGES = ['verify', 'configure', 'knowledge', 'check', 'activate'];
const WITHIN_MS = 30_000;
const withId = z.object({ id: z.string() });

let database: TestDatabase;
let sql: postgres.Sql;
let tenantId: string;
let headers: Record<string, string>;
let runIds: string[];
let folder: string;
const alive: ProductProcess[] = [];

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'bailiwick-killed-'));
  database = await createTestDatabase();
  const { databaseUrl } = database;
  await prepareEngine({ databaseUrl });
  sql = postgres(databaseUrl, { max: 2, onnotice: () => undefined });
  const config = readConfig({ DATABASE_URL: databaseUrl, BAILIWICK_SECRET: SECRET });
  const app = openDatabase({ databaseUrl, role: 'bailiwick_app', max: 2, name: 'killed' });
  const tenancy = composeTenancy({ config, clock: systemClock, database: app, unitOfWork: createUnitOfWork(app.orm, systemClock) });
  const person = { email: 'owner@killed.example', name: 'Owner', password: 'correct horse battery staple' };
  await tenancy.createWorkspace({ slug: 'killed', name: 'Killed', person }, { isTrusted: true, account: null });
  const signedIn = await tenancy.signInWithPassword(person, { ip: '127.0.0.1', userAgent: 'test' });
  const actor = await tenancy.resolveActor('killed', { kind: 'sign-in', ...signedIn });
  const { key } = await tenancy.createApiKey(actor, { name: 'killed', scopes: [...PERMISSIONS] });
  headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  tenantId = toUuid(actor.scope.tenantId);
  runIds = await addRuns(toUuid(actor.scope.userId));
  await app.close();
});
afterEach(async () => {
  for (const process of alive.splice(0)) await process.kill();
});
afterAll(async () => {
  await sql.end();
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

describe('an export whose process is killed', () => {
  it.for(['export.piece-unrecorded:1', 'export.piece:1', 'export.piece-unrecorded:3', 'export.piece:3'])(
    'at %s is finished once by another, and served whole or not at all',
    { timeout: 90_000 },
    async (faultPoint) => {
      const first = await start('first', faultPoint);
      const { id } = exportView.parse(await ask(first, '/exports', { format: 'json', query: {} }));
      await first.ended;
      expect(first.hasEnded()).toBe(true);
      const [left] = await sql`select state, part_count from run_export where id = ${uuidOf('export', id)}`;
      const isWhole = faultPoint === 'export.piece:3';
      expect(left).toMatchObject({ state: isWhole ? 'DONE' : 'RUNNING' });

      const second = await start('second');
      // Until it is whole there is no file.
      expect((await get(second, `/exports/${id}/file`)).status).toBe(isWhole ? 200 : 409);
      const made = await untilEnded(second, id);
      expect(made).toMatchObject({ state: 'DONE', runCount: RUNS, totalCount: RUNS });
      const text = await (await get(second, `/exports/${id}/file`)).text();
      expect(Buffer.byteLength(text)).toBe(made.byteCount);
      expect(JSON.parse(text).map((run: { id: string }) => run.id)).toEqual(runIds.toReversed());
      const ended = await sql`select from audit_event where type = 'export.ended' and target_id = ${id}`;
      expect(ended).toHaveLength(1);
    },
  );

  it('when the person who asked has lost the right meanwhile, fails with the reason and leaves nothing behind', async () => {
    const first = await start('first', 'export.piece:1');
    const { id } = exportView.parse(await ask(first, '/exports', { format: 'csv', query: {} }));
    await first.ended;
    await sql`update tenant_member set disabled_at = now() where tenant_id = ${tenantId}`;
    const second = await start('second');
    const ended = await eventually(async () => {
      const [row] = await sql`select state, error_message from run_export where id = ${uuidOf('export', id)}`;
      return row?.state === 'FAILED' ? row : null;
    });
    expect(ended.error_message).toMatch(/./);
    expect(await sql`select from run_export_part where export_id = ${uuidOf('export', id)}`).toHaveLength(0);
    await sql`update tenant_member set disabled_at = null where tenant_id = ${tenantId}`;
    expect((await get(second, `/exports/${id}/file`)).status).toBe(409);
  }, 90_000);
});

describe('an installation whose process is killed', () => {
  // Those with an effect; every stage where there is time for as many lives.
  const killed = process.env.KILL_IN_EVERY_STAGE ? STAGES : ['knowledge', 'activate'];
  const points = killed.flatMap((stage) => [`plugin.${stage}-unrecorded`, `plugin.${stage}`]);
  it('within a stage and behind it is carried on by the next process, and is never between', async () => {
    const [point = '', ...further] = points;
    const first = await start('first', point);
    const { version, permissions } = pluginView.parse(await (await get(first, `/marketplace/${PLUGIN}`)).json());
    const consent = { version, permissions: permissions.map(({ permission }) => permission), configuration: {} };
    const { id } = pluginOperationView.parse(await ask(first, `/marketplace/${PLUGIN}/install`, consent));
    await first.ended;
    for (const faultPoint of further) {
      await expectNothingBetween(id);
      // It is carried on once its process has been silent for a while: that it was, is made true.
      await sql`update plugin_operation set claimed_at = now() - interval '1 minute' where id = ${uuidOf('pluginOperation', id)} and state = 'RUNNING'`;
      const next = await start(faultPoint, faultPoint);
      await next.ended;
    }
    await expectNothingBetween(id);
    expect(await sql`select state from plugin_operation where id = ${uuidOf('pluginOperation', id)}`).toMatchObject([
      { state: 'SUCCEEDED' },
    ]);
    const documents = await sql`select title from knowledge_document where tenant_id = ${tenantId}`;
    expect(new Set(documents.map(({ title }) => title)).size).toBe(documents.length);
    expect(documents.length).toBeGreaterThan(0);
    expect(await sql`select from audit_event where type = 'plugin.installed' and target_id = ${PLUGIN}`).toHaveLength(1);
  }, 240_000);
});

describe('a run whose process is killed around its tasks', () => {
  const TASKS = ['What is 2+3?', 'Echo "good morning"', 'What is 20% of 50?'];
  it.for(['tasks.started:1', 'run.waiting:1', 'task.ended:1', 'task.ended:3'])(
    'at %s starts each of them once, and gathers all of them',
    { timeout: 90_000 },
    async (faultPoint) => {
      await install('PARALLEL_TASKS', ['capability:invoke', 'conversation:write']);
      const first = await start('first', faultPoint);
      const { id: session } = withId.parse(await ask(first, '/sessions', { preset: 'parallel-tasks' }));
      const { runId } = sendMessageResult.parse(await ask(first, `/sessions/${session}/messages`, { text: TASKS.join('\n') }));
      await first.ended;
      const second = await start('second');
      const run = await eventually(async () => {
        const seen = viewedRun.parse(await (await get(second, `/runs/${runId}`)).json());
        return seen.endedAt === null ? null : seen;
      });
      expect(run).toMatchObject({ state: 'FINISH_OK', answer: expect.stringMatching(/5[^]*good morning[^]*10/) });
      expect(run.tasks.map(({ textHead, state }) => [textHead, state])).toEqual(TASKS.map((task) => [task, 'FINISH_OK']));
      const ends = await sql`
        select r.id, count(*)::int as ends from run r join run_event e on e.tenant_id = r.tenant_id and e.run_id = r.id and e.type = 'STREAM_DONE'
        where r.root_run_id = ${uuidOf('run', runId)} group by r.id`;
      expect(ends.map((row) => row.ends)).toEqual([1, 1, 1]);
    },
  );
});

async function install(pluginId: string, permissions: readonly string[]): Promise<void> {
  await sql`
    insert into tenant_plugin_install (tenant_id, plugin_id, version, is_enabled, permissions, settings, secrets, documents, installed_by)
    select ${tenantId}, ${pluginId}, '1.0.0', true, ${[...permissions]}, '{}', '{}', '[]', user_id from tenant_member where tenant_id = ${tenantId} limit 1
    on conflict do nothing`;
}

/** Installed with all that belongs to it, or under way and not there for anybody. */
async function expectNothingBetween(operation: string): Promise<void> {
  const [row] =
    await sql`select state, jsonb_array_length(done) as done from plugin_operation where id = ${uuidOf('pluginOperation', operation)}`;
  const installs = await sql`select from tenant_plugin_install where tenant_id = ${tenantId} and plugin_id = ${PLUGIN}`;
  expect(installs).toHaveLength(row?.state === 'SUCCEEDED' ? 1 : 0);
  expect(row?.state === 'SUCCEEDED').toBe(Number(row?.done) === STAGES.length);
}

async function start(name: string, faultPoint?: string): Promise<ProductProcess> {
  const process = await startProductProcess({
    kind: 'worker',
    name,
    databaseUrl: database.databaseUrl,
    effectsUrl: 'http://127.0.0.1:1/',
    logFile: path.join(folder, `${name}.log`),
    ...(faultPoint !== undefined && { faultPoint }),
    env: { BAILIWICK_SECRET: SECRET, EXPORT_LEASE_MS: '2000', RECONCILE_TICK_MS: '500', LOG_LEVEL: 'warn' },
  });
  alive.push(process);
  return process;
}

function get(process: ProductProcess, at: string): Promise<Response> {
  return fetch(`${process.address}/api/t/killed${at}`, { headers });
}

async function ask(process: ProductProcess, at: string, body: object): Promise<unknown> {
  const response = await fetch(`${process.address}/api/t/killed${at}`, { method: 'POST', headers, body: JSON.stringify(body) });
  const answer: unknown = await response.json();
  if (!response.ok) throw new Error(`${at}: ${response.status} ${JSON.stringify(answer)}`);
  return answer;
}

function untilEnded(process: ProductProcess, id: string): Promise<ExportView> {
  return eventually(async () => {
    const made = exportView.parse(await (await get(process, `/exports/${id}`)).json());
    return made.state === 'QUEUED' || made.state === 'RUNNING' ? null : made;
  });
}

async function eventually<Found>(look: () => Promise<Found | null>): Promise<Found> {
  const untilMs = Date.now() + WITHIN_MS;
  for (;;) {
    const found = await look();
    if (found !== null) return found;
    if (Date.now() > untilMs) throw new Error(`never came true: ${look.toString()}`);
    await sleep(50);
  }
}

function uuidOf(kind: IdKind, text: string): string {
  const id = parseId(kind, text);
  if (!id) throw new Error(`${text} is no id of a ${kind}`);
  return toUuid(id);
}

/** Runs that have ended, oldest first. */
async function addRuns(userId: string): Promise<string[]> {
  const [sessionId, ids] = [toUuid(newId('session')), Array.from({ length: RUNS }, () => newId('run'))];
  const session = { tenant_id: tenantId, id: sessionId, user_id: userId, preset: 'default', state: 'IDLE', title: '' };
  await sql`insert into agent_session ${sql({ ...session, checkpoint_thread_id: sessionId })}`;
  for (const [number, id] of ids.entries()) {
    const ofSession = { tenant_id: tenantId, session_id: sessionId };
    const message = { ...ofSession, id: toUuid(newId('message')), run_id: toUuid(id), role: 'user', text: `number ${number}` };
    await sql`insert into message ${sql({ ...message, state: 'complete' })}`;
    await sql`insert into run ${sql({ ...ofSession, id: toUuid(id), user_id: userId, message_id: message.id, preset: 'default', input: message.text, locale: 'en', time_zone: 'UTC', state: 'FINISH_OK', event_seq: 0, time_limit_ms: 1000, answer: 'done', ended_at: new Date() })}`;
  }
  return ids;
}
