import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCapabilityRegistry } from '#lib/capabilities/index.ts';
import { composeRuns } from '#lib/composition/runs.ts';
import { readConfig } from '#lib/config/index.ts';
import { checkpointThreadId } from '#lib/conversations/index.ts';
import { prepareEngine } from '#lib/durable/adapters/prepare-engine.ts';
import { type Id, newId, systemClock, toUuid } from '#lib/kernel/index.ts';
import { type Actor, PERMISSIONS } from '#lib/tenancy/index.ts';
import { createTestDatabase, type TestDatabase } from '#lib/testing/database.ts';
import { createEffectCapabilities } from '#lib/testing/effect-capabilities.ts';
import { openDatabase } from '#db/client.ts';
import type { ExecutionPlan, RunEventView } from './index.ts';

type Runs = Awaited<ReturnType<typeof composeRuns>>;

/** Plans by a script in the message: `capability label | capability label`. */
function scriptedPlan({ message }: { message: string }): ExecutionPlan {
  const steps = message.split('|').map((part) => {
    const [capabilityId = '', ...rest] = part.trim().split(' ');
    const args = capabilityId === 'test.stream' ? { chunks: Number(rest[0]), delay: Number(rest[1] ?? 5) } : { label: rest.join(' ') };
    return { capabilityId, rationale: 'scripted', arguments: args, clause: part };
  });
  return { intent: { kind: 'task', confidence: 1, rationale: 'scripted' }, steps, candidates: [], summary: `task (1.00): scripted -> ${steps.length} step(s)` };
}

describe('a run', () => {
  let testDatabase: TestDatabase;
  let database: ReturnType<typeof openDatabase>;
  let runs: Runs;
  let owner: postgres.Sql;
  let effects: Server;
  let counted: { label: string; key: string }[] = [];
  let failNext = 0;

  beforeAll(async () => {
    effects = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk) => (body += chunk));
      request.on('end', () => {
        if (failNext > 0) {
          failNext -= 1;
          response.writeHead(500).end();
          return;
        }
        counted.push(JSON.parse(body));
        response.end('{}');
      });
    });
    await new Promise<void>((resolve) => effects.listen(0, '127.0.0.1', resolve));
    testDatabase = await createTestDatabase();
    await prepareEngine({ databaseUrl: testDatabase.databaseUrl });
    owner = postgres(testDatabase.databaseUrl, { max: 2, onnotice: () => undefined });
    database = openDatabase({ databaseUrl: testDatabase.databaseUrl, role: 'bailiwick_app', max: 5, name: 'test' });
    const registry = createCapabilityRegistry();
    for (const capability of createEffectCapabilities(`http://127.0.0.1:${(effects.address() as AddressInfo).port}`)) registry.register(capability);
    runs = await composeRuns({
      config: readConfig({ DATABASE_URL: testDatabase.databaseUrl, BAILIWICK_SECRET: 'x'.repeat(40), RUN_TIME_LIMIT_MS: '2000', RECONCILE_TICK_MS: '500' }),
      clock: systemClock,
      database,
      actors: { actorOfRun: async ({ tenantId, userId }) => actorOf(tenantId, userId) },
      platformAudit: { record: async () => undefined },
      ontology: { describe: async () => ({ summary: 'nothing', revision: 'r1' }) },
      registry,
      plan: scriptedPlan,
    });
    await runs.start();
  });

  afterAll(async () => {
    await runs?.stop(2_000);
    await database?.close();
    await owner?.end();
    effects?.close();
    await testDatabase?.drop();
  });

  function actorOf(tenantId: Id<'tenant'>, userId: Id<'user'>): Actor {
    return { kind: 'user', scope: { tenantId, userId }, displayName: 'Ada', email: 'ada@example.com', roleKey: 'member', roleName: 'Member', permissions: new Set(PERMISSIONS), locale: null, timeZone: 'UTC' };
  }

  async function aSession(): Promise<{ actor: Actor; sessionId: Id<'session'> }> {
    const [tenantId, userId, sessionId] = [newId('tenant'), newId('user'), newId('session')];
    await owner`insert into tenant (id, slug, name) values (${toUuid(tenantId)}, ${tenantId.slice(-20)}, 'T')`;
    await owner`insert into app_user (id, email, name) values (${toUuid(userId)}, ${`${userId}@example.com`}, 'Ada')`;
    await owner`insert into agent_session (tenant_id, id, user_id, preset, state, title, checkpoint_thread_id) values (${toUuid(tenantId)}, ${toUuid(sessionId)}, ${toUuid(userId)}, 'default', 'IDLE', '', ${checkpointThreadId(tenantId, sessionId)})`;
    return { actor: actorOf(tenantId, userId), sessionId };
  }

  async function readAll(actor: Actor, runId: Id<'run'>, after = 0): Promise<RunEventView[]> {
    const events: RunEventView[] = [];
    for await (const batch of runs.tailRun({ scope: actor.scope, runId, after, signal: AbortSignal.timeout(20_000) })) events.push(...batch);
    return events;
  }

  it('answers, and leaves a gapless log that tells everything', async () => {
    const { actor, sessionId } = await aSession();
    const { runId } = await runs.submitMessage(actor, { sessionId, text: 'test.effect-read one | test.effect-keyed two' });
    const events = await readAll(actor, runId);
    expect(events.map((event) => event.seq)).toEqual(events.map((_event, index) => index + 1));
    expect(events.map((event) => event.type)).toEqual([
      'UserPromptSubmitted', 'run-state', 'path-chosen', 'SUPERVISOR_RUN_START', 'STREAM_START', 'AgentPlanProposed',
      'ToolInvocationRequested', 'invocation-state', 'invocation-state', 'invocation-state', 'ToolExecuted', 'ToolResultAccepted', 'text-delta',
      'ToolInvocationRequested', 'invocation-state', 'invocation-state', 'invocation-state', 'ToolExecuted', 'ToolResultAccepted', 'text-delta',
      'ModelResponseProduced', 'RUN_FINISH', 'run-state', 'AgentTurnCompleted', 'STREAM_DONE',
    ]);
    const run = await runs.getRun(actor, runId);
    expect(run.state).toBe('FINISH_OK');
    expect(run.answer).toBe('done: one\n\ndone: two');
    expect(events.filter((event) => event.type === 'text-delta').map((event) => event.payload.text).join('')).toBe(run.answer);
    expect(run.invocations.map((call) => [call.state, call.transitions.map((move) => move.to)])).toEqual([
      ['SUCCEEDED', ['REQUESTED', 'ARGUMENTS_VALIDATED', 'EXECUTING', 'SUCCEEDED']],
      ['SUCCEEDED', ['REQUESTED', 'ARGUMENTS_VALIDATED', 'EXECUTING', 'SUCCEEDED']],
    ]);
    const memory = await owner`select role, turn_seq, content, metadata from agent_conversation_message where run_id = ${toUuid(runId)} order by role desc`;
    expect(memory.map((row) => ({ ...row }))).toEqual([
      { role: 'USER', turn_seq: 1, content: run.message, metadata: {} },
      { role: 'ASSISTANT', turn_seq: 1, content: run.answer, metadata: {} },
    ]);
    const audit = await owner`select type from audit_event where run_id = ${toUuid(runId)} order by id`;
    expect(audit.map((row) => row.type)).toEqual(['run.submitted', 'capability.invoked', 'capability.succeeded', 'capability.invoked', 'capability.succeeded', 'run.finished']);
  });

  it('streams while a capability works, and any reader resumes exactly', async () => {
    const { actor, sessionId } = await aSession();
    const { runId } = await runs.submitMessage(actor, { sessionId, text: 'test.stream 60 10' });
    const first: RunEventView[] = [];
    for await (const batch of runs.tailRun({ scope: actor.scope, runId, after: 0, signal: AbortSignal.timeout(20_000) })) {
      first.push(...batch);
      if (first.filter((event) => event.type === 'text-delta').length >= 2) break;
    }
    const rest = await readAll(actor, runId, first.at(-1)?.seq ?? 0);
    const all = [...first, ...rest];
    expect(all.map((event) => event.seq)).toEqual(all.map((_event, index) => index + 1));
    const text = all.filter((event) => event.type === 'text-delta').map((event) => event.payload.text).join('');
    expect(text).toBe(Array.from({ length: 60 }, (_, index) => `chunk-${index + 1} `).join(''));
    expect((await runs.getRun(actor, runId)).answer).toBe(text);
  });

  it('stops: nothing starts afterwards, the text is kept and says so, a second stop is harmless', async () => {
    const { actor, sessionId } = await aSession();
    const { runId } = await runs.submitMessage(actor, { sessionId, text: 'test.stream 500 10 | test.effect-keyed never' });
    await new Promise((resolve) => setTimeout(resolve, 300));
    await runs.cancelRun(actor, runId);
    await runs.cancelRun(actor, runId);
    const events = await readAll(actor, runId);
    const run = await runs.getRun(actor, runId);
    expect(run.state).toBe('CANCELLED');
    expect(run.answer).toMatch(/^chunk-1 chunk-2 /);
    expect(run.answer).toContain('Stopped');
    expect(events.at(-1)).toMatchObject({ type: 'STREAM_DONE', payload: { terminal: 'CANCELLED' } });
    expect(counted.some((effect) => effect.label === 'never')).toBe(false);
  });

  it('ends at its time limit with what it has', async () => {
    const { actor, sessionId } = await aSession();
    const { runId } = await runs.submitMessage(actor, { sessionId, text: 'test.stream 500 10' });
    await readAll(actor, runId);
    const run = await runs.getRun(actor, runId);
    expect(run.state).toBe('TIMEOUT');
    expect(run.answer).toMatch(/^chunk-1 /);
  });

  it('keeps one line per session and lets sessions run beside each other', async () => {
    const { actor, sessionId } = await aSession();
    const first = await runs.submitMessage(actor, { sessionId, text: 'test.stream 30 10' });
    const second = await runs.submitMessage(actor, { sessionId, text: 'test.effect-read second' });
    expect(second.queuePlace).toBe(1);
    await readAll(actor, second.runId);
    const [a, b] = [await runs.getRun(actor, first.runId), await runs.getRun(actor, second.runId)];
    expect(Date.parse(b.startedAt ?? '')).toBeGreaterThanOrEqual(Date.parse(a.endedAt ?? ''));
  });

  it('answers a repeated request with the first run, and refuses another message under its key', async () => {
    const { actor, sessionId } = await aSession();
    const request = { sessionId, text: 'test.effect-keyed repeated', idempotencyKey: 'k1' };
    const outcomes = await Promise.all([runs.submitMessage(actor, request), runs.submitMessage(actor, request)]);
    expect(outcomes[0]?.runId).toBe(outcomes[1]?.runId);
    await readAll(actor, outcomes[0].runId);
    expect(counted.filter((effect) => effect.label === 'repeated')).toHaveLength(1);
    await expect(runs.submitMessage(actor, { ...request, text: 'other' })).rejects.toMatchObject({ code: 'idempotency_mismatch' });
  });

  it('ends with the true reason when every step fails, and keeps no memory of it', async () => {
    const { actor, sessionId } = await aSession();
    failNext = 1;
    const { runId } = await runs.submitMessage(actor, { sessionId, text: 'test.effect-keyed broken' });
    await readAll(actor, runId);
    const run = await runs.getRun(actor, runId);
    expect(run.state).toBe('FINISH_ERROR');
    expect(run.error?.message).toBe('the effect server answered 500');
    expect(await owner`select 1 from agent_conversation_message where run_id = ${toUuid(runId)}`).toHaveLength(0);
  });

  it('refuses unknown, handler-less and unapproved calls by name', async () => {
    const { actor, sessionId } = await aSession();
    for (const [text, message] of [
      ['no.such x', 'unknown capability: no.such'],
      ['test.handlerless x', 'no handler for capability: test.handlerless'],
      ['test.effect-destructive x', 'approval required: test.effect-destructive'],
    ]) {
      const { runId } = await runs.submitMessage(actor, { sessionId, text: text ?? '' });
      await readAll(actor, runId);
      expect((await runs.getRun(actor, runId)).error?.message).toBe(message);
    }
  });

  it('is not there for another tenant', async () => {
    const { actor, sessionId } = await aSession();
    const other = await aSession();
    const { runId } = await runs.submitMessage(actor, { sessionId, text: 'test.effect-read mine' });
    await expect(runs.getRun(other.actor, runId)).rejects.toMatchObject({ code: 'not_found' });
    await expect(runs.cancelRun(other.actor, runId)).rejects.toMatchObject({ code: 'not_found' });
    await expect(runs.submitMessage(other.actor, { sessionId, text: 'x' })).rejects.toMatchObject({ code: 'session_not_found', message: 'session not found' });
    await readAll(actor, runId);
  });
});
