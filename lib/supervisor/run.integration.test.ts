import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { verifies } from '#e2e/verifies.ts';
import type { GraphSink } from '#lib/conversations/index.ts';
import { checkpointThreadId, MESSAGE_LIMIT_BYTES } from '#lib/conversations/index.ts';
import { newId, toUuid } from '#lib/kernel/index.ts';
import { createRunLab, eventually, type RunLab } from '#lib/testing/run-lab.ts';
import type { RunEventView } from './index.ts';

describe('a run', () => {
  let lab: RunLab;
  let runs: RunLab['runs'];
  let owner: RunLab['owner'];
  let counted: RunLab['effects']['counted'];
  const graphTold: Parameters<GraphSink['record']>[0][] = [];
  const aSession = () => lab.aSession();
  const readAll: RunLab['readAll'] = (...request) => lab.readAll(...request);

  beforeAll(async () => {
    lab = await createRunLab({
      graphSink: {
        record: async (run) => {
          graphTold.push(run);
          throw new Error('the graph is down');
        },
      },
    });
    ({ runs, owner } = lab);
    counted = lab.effects.counted;
  });
  afterAll(() => lab?.close());

  verifies(['P-02', 'P-04', 'P-06', 'P-13', 'P-14'], 'answers, and leaves a gapless log that tells everything', async () => {
    const { actor, sessionId } = await aSession();
    const { runId } = await runs.submitMessage(actor, { sessionId, text: 'test.effect-read one | test.effect-keyed two' });
    const events = await readAll(actor, runId);
    expect(events.map((event) => event.seq)).toEqual(events.map((_event, index) => index + 1));
    expect(events.map((event) => event.type)).toEqual([
      'UserPromptSubmitted',
      'run-state',
      'path-chosen',
      'SUPERVISOR_RUN_START',
      'STREAM_START',
      'AgentPlanProposed',
      'ToolInvocationRequested',
      'invocation-state',
      'invocation-state',
      'invocation-state',
      'ToolExecuted',
      'ToolResultAccepted',
      'text-delta',
      'ToolInvocationRequested',
      'invocation-state',
      'invocation-state',
      'invocation-state',
      'ToolExecuted',
      'ToolResultAccepted',
      'text-delta',
      'ModelResponseProduced',
      'RUN_FINISH',
      'run-state',
      'AgentTurnCompleted',
      'STREAM_DONE',
    ]);
    const run = await runs.getRun(actor, runId);
    expect(run.state).toBe('FINISH_OK');
    expect(run.answer).toBe('done: one\n\ndone: two');
    expect(
      events
        .filter((event) => event.type === 'text-delta')
        .map((event) => event.payload.text)
        .join(''),
    ).toBe(run.answer);
    expect(run).toMatchObject({
      path: 'deterministic',
      graph: 'platform_supervisor_deterministic',
      pathReason: { code: 'no-model' },
      ontologyRevision: 'r1',
    });
    expect(events.find((event) => event.type === 'SUPERVISOR_RUN_START')?.payload).toEqual({
      message: run.message,
      preset: 'default',
      ontology_revision: 'r1',
    });
    expect(run.invocations.map((call) => [call.state, call.transitions.map((move) => move.to)])).toEqual([
      ['SUCCEEDED', ['REQUESTED', 'ARGUMENTS_VALIDATED', 'EXECUTING', 'SUCCEEDED']],
      ['SUCCEEDED', ['REQUESTED', 'ARGUMENTS_VALIDATED', 'EXECUTING', 'SUCCEEDED']],
    ]);
    const memory =
      await owner`select role, turn_seq, content, metadata from agent_conversation_message where run_id = ${toUuid(runId)} order by role desc`;
    expect(memory.map((row) => ({ ...row }))).toEqual([
      { role: 'USER', turn_seq: 1, content: run.message, metadata: {} },
      { role: 'ASSISTANT', turn_seq: 1, content: run.answer, metadata: {} },
    ]);
    const audit = await owner`select type from audit_event where run_id = ${toUuid(runId)} order by id`;
    expect(audit.map((row) => row.type)).toEqual([
      'run.submitted',
      'capability.invoked',
      'capability.succeeded',
      'capability.invoked',
      'capability.succeeded',
      'run.finished',
    ]);
  });

  verifies(['P-11', 'K1', 'K2'], 'streams while a capability works, and any reader resumes exactly', async () => {
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
    const text = all
      .filter((event) => event.type === 'text-delta')
      .map((event) => event.payload.text)
      .join('');
    expect(text).toBe(Array.from({ length: 60 }, (_, index) => `chunk-${index + 1} `).join(''));
    expect((await runs.getRun(actor, runId)).answer).toBe(text);
  });

  verifies(['K4', 'P-12'], 'stops: nothing starts afterwards, the text is kept and says so, a second stop is harmless', async () => {
    const { actor, sessionId } = await aSession();
    const { runId } = await runs.submitMessage(actor, { sessionId, text: 'test.stream 500 10 | test.effect-keyed never' });
    await new Promise((resolve) => setTimeout(resolve, 300));
    await runs.cancelRun(actor, runId);
    await runs.cancelRun(actor, runId);
    const events = await readAll(actor, runId);
    const run = await runs.getRun(actor, runId);
    expect(run.state).toBe('CANCELLED');
    expect(run.answer).toMatch(/^chunk-1 chunk-2 /);
    expect(run.answer).toContain('_Stopped while test.stream was at work. It changes nothing._');
    expect(run.answer).not.toContain('⚠');
    expect(events.at(-1)).toMatchObject({ type: 'STREAM_DONE', payload: { terminal: 'CANCELLED' } });
    expect(counted.some((effect) => effect.label === 'never')).toBe(false);
  });

  verifies('K4', 'says of a tool that was at work when it was stopped that it may have acted', async () => {
    const { actor, sessionId } = await aSession();
    lab.effects.hold('in the air');
    const { runId } = await runs.submitMessage(actor, { sessionId, text: 'test.effect-keyed done | test.effect-once in the air' });
    await eventually(() => lab.effects.of('in the air').length > 0);
    await runs.cancelRun(actor, runId);
    const events = await readAll(actor, runId);
    lab.effects.release('in the air');
    expect((await runs.getRun(actor, runId)).answer).toBe(
      'done: done\n\n_Stopped. What test.effect-keyed did cannot be undone. test.effect-once was at work and may have had its effect, which cannot be undone: check it._',
    );
    // A mirror of runs is told what was called, a call that was cut off included.
    const told = await eventually(() => graphTold.find((run) => run.runId === runId));
    expect(told.capabilityIds.toSorted()).toEqual(['test.effect-keyed', 'test.effect-once']);
    expect(events.find(({ type }) => type === 'RUN_CANCELLED')?.payload).toMatchObject({
      afterStep: 0,
      sideEffects: ['test.effect-keyed'],
      cutOff: ['test.effect-once'],
    });
  });

  verifies(['P-12', 'P-13'], 'ends at its time limit with what it has', async () => {
    const { actor, sessionId } = await aSession();
    const { runId } = await runs.submitMessage(actor, { sessionId, text: 'test.stream 500 10' });
    await readAll(actor, runId);
    const run = await runs.getRun(actor, runId);
    expect(run.state).toBe('TIMEOUT');
    expect(run.answer).toMatch(/^chunk-1 /);
  });

  verifies('K30', 'keeps one line per session and lets sessions run beside each other', async () => {
    const { actor, sessionId } = await aSession();
    const first = await runs.submitMessage(actor, { sessionId, text: 'test.stream 30 10' });
    const second = await runs.submitMessage(actor, { sessionId, text: 'test.effect-read second' });
    expect(second.queuePlace).toBe(1);
    await readAll(actor, second.runId);
    const [a, b] = [await runs.getRun(actor, first.runId), await runs.getRun(actor, second.runId)];
    expect(Date.parse(b.startedAt ?? '')).toBeGreaterThanOrEqual(Date.parse(a.endedAt ?? ''));
  });

  verifies('K30', 'answers a repeated request with the first run, and refuses another message under its key', async () => {
    const { actor, sessionId } = await aSession();
    const request = { sessionId, text: 'test.effect-keyed repeated', idempotencyKey: 'k1' };
    const outcomes = await Promise.all([runs.submitMessage(actor, request), runs.submitMessage(actor, request)]);
    expect(outcomes[0]?.runId).toBe(outcomes[1]?.runId);
    await readAll(actor, outcomes[0].runId);
    expect(counted.filter((effect) => effect.label === 'repeated')).toHaveLength(1);
    await expect(runs.submitMessage(actor, { ...request, text: 'other' })).rejects.toMatchObject({ code: 'idempotency_mismatch' });
  });

  verifies(['P-12', 'P-14'], 'ends with the true reason when every step fails, and keeps no memory of it', async () => {
    const { actor, sessionId } = await aSession();
    lab.effects.failNext(1);
    const { runId } = await runs.submitMessage(actor, { sessionId, text: 'test.effect-keyed broken' });
    await readAll(actor, runId);
    const run = await runs.getRun(actor, runId);
    expect(run.state).toBe('FINISH_ERROR');
    expect(run.error?.message).toBe('the effect server answered 500');
    expect(await owner`select 1 from agent_conversation_message where run_id = ${toUuid(runId)}`).toHaveLength(0);
  });

  verifies('P-16', 'refuses unknown and handler-less calls by name', async () => {
    const { actor, sessionId } = await aSession();
    for (const [text, message] of [
      ['no.such x', 'unknown capability: no.such'],
      ['test.handlerless x', 'no handler for capability: test.handlerless'],
    ]) {
      const { runId } = await runs.submitMessage(actor, { sessionId, text: text ?? '' });
      await readAll(actor, runId);
      expect((await runs.getRun(actor, runId)).error?.message).toBe(message);
    }
  });

  verifies(['P-10', 'K15'], 'is not there for another tenant, and refused without one', async () => {
    const { actor, sessionId } = await aSession();
    const other = await aSession();
    const { runId } = await runs.submitMessage(actor, { sessionId, text: 'test.effect-read mine' });
    await expect(runs.getRun(other.actor, runId)).rejects.toMatchObject({ code: 'not_found' });
    await expect(runs.cancelRun(other.actor, runId)).rejects.toMatchObject({ code: 'not_found' });
    await expect(runs.submitMessage(other.actor, { sessionId, text: 'x' })).rejects.toMatchObject({
      code: 'session_not_found',
      message: 'session not found',
    });
    await expect(runs.submitMessage(null, { sessionId, text: 'x' })).rejects.toMatchObject({ message: 'tenant context missing' });
    await expect(runs.submitMessage(actor, { sessionId: newId('session'), text: 'x' })).rejects.toMatchObject({
      message: 'session not found',
    });
    await readAll(actor, runId);
  });

  verifies(['P-18', 'K15'], 'is its own person’s: an auditor may look at it and touch nothing, a colleague finds nothing', async () => {
    const { actor, sessionId } = await aSession();
    const { runId } = await runs.submitMessage(actor, { sessionId, text: 'test.effect-read mine' });
    await readAll(actor, runId);
    const auditor = await lab.aColleague(actor);
    const colleague = await lab.aColleague(actor, ['run:read', 'conversation:write']);
    expect((await runs.getRun(auditor, runId)).id).toBe(runId);
    expect((await runs.listRuns(auditor, { limit: 10 })).items.map(({ id }) => id)).toEqual([runId]);
    await expect(runs.getRun(colleague, runId)).rejects.toMatchObject({ code: 'not_found' });
    expect((await runs.listRuns(colleague, { limit: 10 })).items).toEqual([]);
    for (const other of [auditor, colleague]) {
      await expect(runs.cancelRun(other, runId)).rejects.toMatchObject({ code: 'not_found' });
      await expect(runs.retryRun(other, runId)).rejects.toMatchObject({ code: 'not_found' });
      await expect(runs.submitMessage(other, { sessionId, text: 'x' })).rejects.toMatchObject({ code: 'session_not_found' });
    }
  });

  verifies('P-10', 'is not begun for a message that is empty, too large or from nowhere on earth', async () => {
    const { actor, sessionId } = await aSession();
    for (const [given, code] of [
      [{ text: ' \n\t\u3000' }, 'message_empty'],
      [{ text: '学'.repeat(MESSAGE_LIMIT_BYTES / 3 + 1) }, 'message_too_large'],
      [{ text: 'test.effect-read x', timeZone: 'Mars/Olympus' }, 'invalid_request'],
    ] as const) {
      await expect(runs.submitMessage(actor, { sessionId, ...given })).rejects.toMatchObject({ code });
    }
    expect(await owner`select 1 from message where session_id = ${toUuid(sessionId)}`).toHaveLength(0);
    expect(await owner`select 1 from run where session_id = ${toUuid(sessionId)}`).toHaveLength(0);
  });

  verifies(['P-05', 'P-06', 'P-09', 'P-28'], 'keeps its graph state under the session’s own thread, key by key', async () => {
    const { actor, sessionId } = await aSession();
    const { runId } = await runs.submitMessage(actor, { sessionId, text: 'test.effect-read one' });
    await readAll(actor, runId);
    const [record] = await owner`select path, output from node_record where run_id = ${toUuid(runId)}`;
    expect(record).toMatchObject({
      path: 'deterministic_pipeline',
      output: {
        echo: 'done: one',
        supervisor_terminal: 'OK',
        ontology_summary: 'nothing',
        ontology_revision: 'r1',
        pipeline_trace: [{ capabilityId: 'test.effect-read', rationale: 'scripted', output: { label: 'one' } }],
        execution_plan: { intent: { kind: 'task', confidence: 1, rationale: 'scripted' }, summary: 'task (1.00): scripted -> 1 step(s)' },
        conversation_history: [
          { role: 'USER', content: 'test.effect-read one' },
          { role: 'ASSISTANT', content: 'done: one' },
        ],
      },
    });
    const [session] = await owner`select checkpoint_thread_id from agent_session where id = ${toUuid(sessionId)}`;
    expect(session?.checkpoint_thread_id).toBe(checkpointThreadId(actor.scope.tenantId, sessionId));
    expect(() => checkpointThreadId(null, sessionId)).toThrow('tenant context missing');
    expect(() => checkpointThreadId(actor.scope.tenantId, undefined)).toThrow('session not found');
    expect(checkpointThreadId(newId('tenant'), sessionId)).not.toBe(session?.checkpoint_thread_id);
  });

  verifies(
    ['P-11', 'K16'],
    'keeps the context of two hundred runs of two tenants apart',
    async () => {
      const sessions = await Promise.all(Array.from({ length: 20 }, () => aSession()));
      const sent = await Promise.all(
        sessions.flatMap(({ actor, sessionId }, s) =>
          Array.from({ length: 10 }, async (_, n) => {
            const label = `mine-${s}-${n}`;
            const { runId } = await runs.submitMessage(actor, { sessionId, text: `test.stream 2 3 | test.effect-keyed ${label}` });
            return { actor, runId, label };
          }),
        ),
      );
      await Promise.all(sent.map(({ actor, runId }) => readAll(actor, runId)));
      for (const { actor, runId, label } of sent) {
        const effect = counted.filter((entry) => entry.label === label);
        expect(effect).toEqual([expect.objectContaining({ runId, label })]);
        expect((await runs.getRun(actor, runId)).answer).toBe(`chunk-1 chunk-2 \n\ndone: ${label}`);
      }
      const rows = await owner`select count(*)::int as n from run_event e join run r on r.id = e.run_id where r.tenant_id <> e.tenant_id`;
      expect(rows[0]?.n).toBe(0);
    },
    60_000,
  );

  verifies('K23', 'takes NUL and broken Unicode everywhere and keeps literal backslash text', async () => {
    const { actor, sessionId } = await aSession();
    const text = 'test.effect-keyed a\u0000b \\u0000 \ud800 end';
    const { runId } = await runs.submitMessage(actor, { sessionId, text });
    await readAll(actor, runId);
    const run = await runs.getRun(actor, runId);
    expect(run.state).toBe('FINISH_OK');
    expect(run.message).toBe('test.effect-keyed a\ufffdb \\u0000 \ufffd end');
    expect(run.answer).toBe('done: a\ufffdb \\u0000 \ufffd end');
    const audits = await owner`select payload, hash from audit_event where run_id = ${toUuid(runId)}`;
    for (const row of audits) expect(createHash('sha256').update(row.payload).digest('hex')).toBe(row.hash);
  });

  verifies('K30', 'refuses the writes of a driver whose run another process has taken on', async () => {
    const { actor, sessionId } = await aSession();
    const { runId } = await runs.submitMessage(actor, { sessionId, text: 'test.stream 40 10 | test.effect-keyed fenced' });
    await new Promise((resolve) => setTimeout(resolve, 150));
    await lab.cutOff(runId);
    await new Promise((resolve) => setTimeout(resolve, 800));
    expect(counted.some((effect) => effect.label === 'fenced')).toBe(false);
    expect((await runs.getRun(actor, runId)).state).toBe('RUNNING');
    // Its segment has ended without it: the reconciler gives it a new one, which finishes it.
    await readAll(actor, runId);
    expect((await runs.getRun(actor, runId)).state).toBe('FINISH_OK');
    expect(counted.filter((effect) => effect.label === 'fenced')).toHaveLength(1);
  });

  verifies('P-26', 'appends the session’s own record, and no failing graph fails a run', async () => {
    const { actor, sessionId } = await aSession();
    const { runId } = await runs.submitMessage(actor, { sessionId, text: 'test.effect-read one' });
    await readAll(actor, runId);
    const rows = await owner`select seq, type from session_event where session_id = ${toUuid(sessionId)} order by seq`;
    expect(rows.map((row) => row.seq)).toEqual(rows.map((_row, index) => index + 1));
    expect(rows.map((row) => row.type)).toEqual([
      'UserPromptSubmitted',
      'SUPERVISOR_RUN_START',
      'session-state',
      'AgentPlanProposed',
      'session-state',
      'RUN_FINISH',
      'session-state',
      'STREAM_DONE',
    ]);
    const told = await eventually(() => graphTold.find((run) => run.runId === runId));
    expect(told).toMatchObject({ terminal: 'FINISH_OK', preset: 'default', sessionId });
    expect((await runs.getRun(actor, runId)).state).toBe('FINISH_OK');
    await expect(
      lab.database.sql`select set_config('app.tenant_id', ${toUuid(actor.scope.tenantId)}, false)`.then(
        () => lab.database.sql`update session_event set type = 'x'`,
      ),
    ).rejects.toThrow('permission denied');
  });

  verifies('P-25', 'gives a waiting request the same result that a stream ends with', async () => {
    const { actor, sessionId } = await aSession();
    const { runId } = await runs.submitMessage(actor, { sessionId, text: 'test.effect-read one' });
    const result = await runs.awaitResult(actor, runId, AbortSignal.timeout(10_000));
    expect(result).toEqual({
      sessionId,
      preset: 'default',
      terminal: 'FINISH_OK',
      snapshot: {
        runId,
        echo: 'done: one',
        pipeline_trace: [{ capabilityId: 'test.effect-read', rationale: 'scripted', output: { label: 'one' } }],
        execution_plan: { intent: { kind: 'task', confidence: 1, rationale: 'scripted' }, summary: 'task (1.00): scripted -> 1 step(s)' },
        ontology_revision: 'r1',
        error: null,
      },
    });
  });
});
