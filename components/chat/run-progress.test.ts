import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RunEventView } from '#lib/supervisor/contract.ts';
import { applyRunEvent, applyRunEvents, progressText, startProgress } from './run-progress.ts';
import { sumUsage } from './usage-sum.ts';

/** A log under construction: `say('type', payload)` appends. */
function log(runId = 'run_1') {
  const events: RunEventView[] = [];
  const say = (type: string, payload: Record<string, unknown> = {}) => {
    events.push({ runId, seq: events.length + 1, type, at: new Date(1_700_000_000_000 + events.length * 100).toISOString(), payload });
  };
  return { events, say };
}

const stage = (id: string, state: string) => ({
  id,
  title: { en: id, 'zh-CN': id },
  state,
  summary: '',
  confidence: null,
  reasons: [],
});

function answeredRun() {
  const { events, say } = log();
  say('UserPromptSubmitted', { messageId: 'msg_1', text: 'hi' });
  say('run-state', { from: 'QUEUED', to: 'RUNNING', reason: 'claimed' });
  say('SUPERVISOR_RUN_START', { message: 'hi', preset: 'default', ontology_revision: '1' });
  say('path-chosen', { path: 'deterministic', graph: 'g', code: 'no-model', text: 'No model is configured.' });
  say('AgentPlanProposed', {
    intent: { kind: 'task', confidence: 0.91, rationale: 'asks for the time' },
    summary: 'task (0.91): asks for the time -> 1 step(s)',
    steps: [{ capabilityId: 'time.now', rationale: 'zone named', arguments: { zone: 'Asia/Tokyo' }, clause: 'time in Tokyo' }],
    candidates: [],
  });
  say('ToolInvocationRequested', { invocationId: 'inv_1', step: 0, capabilityId: 'time.now', arguments: { zone: 'Asia/Tokyo' } });
  say('invocation-state', { invocationId: 'inv_1', from: 'REQUESTED', to: 'ARGUMENTS_VALIDATED', reason: 'schema', attempt: 1 });
  say('invocation-state', { invocationId: 'inv_1', from: 'ARGUMENTS_VALIDATED', to: 'EXECUTING', reason: 'start', attempt: 1 });
  say('invocation-state', { invocationId: 'inv_1', from: 'EXECUTING', to: 'SUCCEEDED', reason: 'ok', attempt: 1 });
  say('ToolExecuted', { invocationId: 'inv_1', step: 0, capabilityId: 'time.now', ok: true, durationMs: 3 });
  say('ToolResultAccepted', { invocationId: 'inv_1', step: 0, output: { time: '09:00' } });
  for (let piece = 0; piece < 400; piece += 1) say('text-delta', { step: 0, attempt: 1, text: `字${piece} ` });
  say('ModelResponseProduced', { text: Array.from({ length: 400 }, (_, piece) => `字${piece} `).join('') });
  say('RUN_FINISH', { terminal: 'OK' });
  say('run-state', { from: 'RUNNING', to: 'FINISH_OK', reason: 'done' });
  say('STREAM_DONE', { terminal: 'OK' });
  return events;
}

describe('applyRunEvent', () => {
  it('arrives at the same run however often any part of the log is replayed', () => {
    const events = answeredRun();
    const whole = applyRunEvents(startProgress('run_1'), events);
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(events.length), fc.nat(events.length)), { maxLength: 6 }), (replays) => {
        let progress = startProgress('run_1');
        for (const [from, to] of replays) {
          // A reconnection replays from some earlier point on, never from beyond what was seen.
          const start = Math.min(from, progress.lastSeq);
          progress = applyRunEvents(progress, events.slice(start, Math.max(start, to)));
        }
        expect(applyRunEvents(progress, events.slice(Math.min(progress.lastSeq, 3)))).toEqual(whole);
      }),
      { numRuns: 60 },
    );
  });

  it('shows the text byte for byte while it streams and after it is whole', () => {
    const events = answeredRun();
    const expected = Array.from({ length: 400 }, (_, piece) => `字${piece} `).join('');
    const lastDelta = events.findLastIndex(({ type }) => type === 'text-delta');
    expect(progressText(applyRunEvents(startProgress('run_1'), events.slice(0, lastDelta + 1)))).toBe(expected);
    expect(progressText(applyRunEvents(startProgress('run_1'), events))).toBe(expected);
  });

  it('collects plan, path, call and outcome', () => {
    const progress = applyRunEvents(startProgress('run_1'), answeredRun());
    expect(progress).toMatchObject({
      state: 'FINISH_OK',
      messageId: 'msg_1',
      path: 'deterministic',
      pathReason: { code: 'no-model' },
      plan: { intent: { confidence: 0.91 } },
      invocations: [{ id: 'inv_1', state: 'SUCCEEDED', attempt: 1, output: { time: '09:00' } }],
      error: null,
    });
    expect(progress.invocations[0]?.transitions.map(({ to }) => to)).toEqual(['ARGUMENTS_VALIDATED', 'EXECUTING', 'SUCCEEDED']);
  });

  it('drops the text of a step that is said again, and only that', () => {
    const { events, say } = log();
    say('text-delta', { step: 0, attempt: 1, text: 'first. ' });
    say('text-delta', { step: 1, attempt: 1, text: 'sec' });
    say('text-reset', { step: 1, attempt: 2 });
    say('text-delta', { step: 1, attempt: 2, text: 'second.' });
    expect(progressText(applyRunEvents(startProgress('run_1'), events))).toBe('first. second.');
  });

  it('replaces the text of an attempt that died without saying so, and ignores its stragglers', () => {
    const { events, say } = log();
    say('text-delta', { step: 0, attempt: 1, text: 'old' });
    say('text-delta', { step: 0, attempt: 2, text: 'new' });
    say('text-delta', { step: 0, attempt: 1, text: 'er' });
    expect(progressText(applyRunEvents(startProgress('run_1'), events))).toBe('new');
  });

  it('keeps the order of steps when parallel steps stream at once', () => {
    const { events, say } = log();
    say('text-delta', { step: 1, attempt: 1, text: 'B' });
    say('text-delta', { step: 0, attempt: 1, text: 'A' });
    expect(progressText(applyRunEvents(startProgress('run_1'), events))).toBe('AB');
  });

  it('does not wait for pieces that were pruned', () => {
    const events = answeredRun().filter(({ type }) => type !== 'text-delta');
    const progress = applyRunEvents(startProgress('run_1'), events);
    expect(progress.state).toBe('FINISH_OK');
    expect(progressText(progress).startsWith('字0 ')).toBe(true);
  });

  it.each([
    ['RUN_FINISH', { terminal: 'EMPTY_STATE' }, 'FINISH_ERROR'],
    ['RUN_TIMEOUT', { ms: 300_000 }, 'TIMEOUT'],
    ['RUN_ERROR', { error: 'interrupted' }, 'FINISH_ERROR'],
  ])('takes %s as the end of the run', (type, payload, state) => {
    const { events, say } = log();
    say(type, payload);
    expect(applyRunEvents(startProgress('run_1'), events).state).toBe(state);
  });

  it('ignores the events of another run', () => {
    const progress = startProgress('run_1');
    expect(
      applyRunEvent(progress, { runId: 'run_2', seq: 1, type: 'text-delta', at: '', payload: { step: 0, attempt: 1, text: 'x' } }),
    ).toBe(progress);
  });

  it('passes over a payload it cannot read and goes on', () => {
    const { events, say } = log();
    say('AgentPlanProposed', { nonsense: true });
    say('text-delta', { step: 0, attempt: 1, text: 'still here' });
    const progress = applyRunEvents(startProgress('run_1'), events);
    expect(progress.plan).toBeNull();
    expect(progressText(progress)).toBe('still here');
    expect(progress.lastSeq).toBe(2);
  });

  it('stays as it ended, whatever comes after', () => {
    const { events, say } = log();
    say('run-state', { from: 'QUEUED', to: 'RUNNING', reason: '' });
    say('RUN_CANCELLED', { by: 'usr_1', afterStep: 2, sideEffects: ['mail.send'] });
    say('run-state', { from: 'RUNNING', to: 'CANCELLED', reason: 'stopped' });
    say('run-state', { from: 'CANCELLED', to: 'RUNNING', reason: 'a straggler' });
    const progress = applyRunEvents(startProgress('run_1'), events);
    expect(progress).toMatchObject({ state: 'CANCELLED', endedAt: events[1]?.at });
  });

  it('keeps the calls that were asked about, and what was decided', () => {
    const { events, say } = log();
    say('approval-requested', {
      id: 'apv_1',
      runId: 'run_1',
      sessionId: 'ses_1',
      invocationId: 'inv_1',
      capabilityId: 'notes.write',
      capabilityVersion: '1.0.0',
      arguments: { title: 'a' },
      proposedArguments: null,
      risk: 'write',
      reason: 'policy',
      needsOther: false,
      state: 'OPEN',
      requestedBy: { userId: 'usr_1', name: 'Li' },
      createdAt: '2026-01-01T00:00:00.000Z',
      expiresAt: '2026-01-02T00:00:00.000Z',
      decidedBy: null,
      decidedAt: null,
      extent: null,
      note: null,
    });
    expect(applyRunEvents(startProgress('run_1'), events).approvals).toMatchObject([{ id: 'apv_1', state: 'OPEN' }]);
    say('approval-decided', {
      approvalId: 'apv_1',
      state: 'APPROVED',
      by: { userId: 'usr_2', name: 'Bo' },
      at: '2026-01-01T10:00:00.000Z',
      extent: 'once',
      note: null,
      arguments: { title: 'b' },
    });
    expect(applyRunEvents(startProgress('run_1'), events).approvals).toMatchObject([
      { state: 'APPROVED', decidedBy: { name: 'Bo' }, arguments: { title: 'b' }, proposedArguments: { title: 'a' }, extent: 'once' },
    ]);
  });

  it('keeps the question and its answer', () => {
    const { events, say } = log();
    say('question-asked', {
      id: 'qst_1',
      kind: 'unknown-outcome',
      text: 'It may have run.',
      options: [{ value: 'again', label: 'Run again' }],
      state: 'OPEN',
      answer: null,
    });
    say('run-state', { from: 'RUNNING', to: 'WAITING', reason: 'question' });
    expect(applyRunEvents(startProgress('run_1'), events)).toMatchObject({ state: 'WAITING', question: { state: 'OPEN' } });
    say('question-answered', { questionId: 'qst_1', answer: 'again', by: 'usr_1' });
    say('run-state', { from: 'WAITING', to: 'RUNNING', reason: 'answered' });
    expect(applyRunEvents(startProgress('run_1'), events)).toMatchObject({
      state: 'RUNNING',
      question: { state: 'ANSWERED', answer: 'again' },
    });
  });

  it('keeps what the model thought apart from what it said', () => {
    const { events, say } = log();
    say('reasoning-delta', { step: 0, text: 'They want ' });
    say('reasoning-delta', { step: 0, text: 'the time.' });
    say('text-delta', { step: 0, attempt: 1, text: 'It is noon.' });
    const progress = applyRunEvents(startProgress('run_1'), [...events, ...events]);
    expect(progressText(progress)).toBe('It is noon.');
    expect(progress.reasoning).toEqual([{ step: 0, text: 'They want the time.', startedAt: events[0]?.at, endedAt: events[1]?.at }]);
    say('text-reset', { step: 0, attempt: 2 });
    expect(applyRunEvents(progress, events).reasoning).toEqual([]);
  });

  it('has every model call and handoff once, told again or not', () => {
    const { events, say } = log();
    const usage = { inputTokens: 9, cachedInputTokens: 1, cacheWriteTokens: 0, outputTokens: 5, reasoningTokens: 2, isEstimated: false };
    const call = { path: 's/m0', agentId: 'platform_supervisor', provider: 'openai', model: 'small', attempts: 1, usage };
    for (let telling = 0; telling < 2; telling += 1) {
      say('model-call', { ...call, cost: { micros: 30, currency: 'USD' } });
      say('handoff', { path: 's/m0/t0', from: 'platform_supervisor', to: 'librarian', task: 'find the hours' });
    }
    say('handoff-answered', { path: 's/m0/t0', agent: 'librarian', text: 'until 22:00' });
    const progress = applyRunEvents(startProgress('run_1'), events);
    expect(progress.handoffs).toEqual([
      { path: 's/m0/t0', from: 'platform_supervisor', to: 'librarian', task: 'find the hours', answer: 'until 22:00' },
    ]);
    expect(sumUsage(progress.modelCalls)).toMatchObject({ totalTokens: 17, cost: { micros: 30, currency: 'USD' }, models: ['small'] });
    say('model-call', { ...call, path: 's/m1', model: 'large', cost: null, usage: { ...usage, isEstimated: true } });
    expect(sumUsage(applyRunEvents(progress, events).modelCalls)).toMatchObject({
      totalTokens: 34,
      isEstimated: true,
      cost: null,
      models: ['small', 'large'],
    });
  });

  it('goes by the path that answered when the model failed before it had said anything', () => {
    const { events, say } = log();
    say('path-chosen', { path: 'llm', graph: 'g', code: 'model', text: 'openai: small' });
    say('path-chosen', { path: 'deterministic', graph: 'g', code: 'model-failed', text: 'It failed.' });
    expect(applyRunEvents(startProgress('run_1'), events)).toMatchObject({ path: 'deterministic', pathReason: { code: 'model-failed' } });
  });

  it('follows the stages of a pipeline, and sees which were passed over', () => {
    const { events, say } = log();
    say('AgentPlanProposed', {
      intent: { kind: 'help', confidence: 0.9, rationale: 'asks what can be asked' },
      summary: 'help (0.90): asks what can be asked -> 3 step(s)',
      steps: [],
      candidates: [],
      stages: ['intent', 'data', 'executor'].map((id) => stage(id, 'waiting')),
    });
    const statesAfter = () => applyRunEvents(startProgress('run_1'), events).plan?.stages?.map(({ state }) => state);
    say('stage-completed', { ...stage('intent', 'done'), confidence: 0.9, reasons: ['help: what can you answer'] });
    expect(statesAfter()).toEqual(['done', 'waiting', 'waiting']);
    say('stage-completed', stage('executor', 'done'));
    expect(statesAfter()).toEqual(['done', 'skipped', 'done']);
    expect(applyRunEvents(startProgress('run_1'), events).plan?.stages?.[0]?.reasons).toEqual(['help: what can you answer']);
    say('stage-completed', stage('unheard-of', 'done'));
    say('stage-completed', { nonsense: true });
    expect(statesAfter()).toEqual(['done', 'skipped', 'done']);
  });
});
