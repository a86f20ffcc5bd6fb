import { describe, expect, it } from 'vitest';
import type { InvocationView, RunEventView, RunView } from '#lib/supervisor/contract.ts';
import { axisTicks, timelineSpans, timeScale, waitingGaps } from './timeline-spans.ts';

const at = (ms: number) => new Date(Date.UTC(2026, 0, 1) + ms).toISOString();

function createRun(overrides: Partial<RunView> = {}): RunView {
  return {
    id: 'run_1',
    sessionId: 'ses_1',
    state: 'FINISH_OK',
    preset: 'default',
    actor: { userId: 'usr_1', name: 'Li' },
    promptHead: 'hi',
    path: 'deterministic',
    stepCount: 1,
    callsSucceeded: 1,
    callsFailed: 0,
    createdAt: at(0),
    startedAt: at(10),
    endedAt: at(1000),
    durationMs: 990,
    waitedMs: 0,
    totalTokens: 0,
    cost: null,
    messageId: 'msg_1',
    parentId: null,
    usage: null,
    message: 'hi',
    pathReason: null,
    graph: null,
    ontologyRevision: null,
    plan: null,
    answer: null,
    error: null,
    queuePlace: 0,
    parentRunId: null,
    tasks: [],
    question: null,
    approvals: [],
    invocations: [],
    epoch: 1,
    lastSeq: 0,
    ...overrides,
  };
}

function createInvocation(
  moves: readonly [InvocationView['state'], number, number?][],
  overrides: Partial<InvocationView> = {},
): InvocationView {
  const last = moves.at(-1);
  const state = last?.[0] ?? 'REQUESTED';
  return {
    id: 'inv_1',
    step: 0,
    capabilityId: 'time.now',
    capabilityVersion: '1.0.0',
    state,
    attempt: last?.[2] ?? 1,
    arguments: {},
    output: null,
    error: null,
    requestedAt: at(20),
    finishedAt: state === 'SUCCEEDED' || state === 'FAILED' ? at(last?.[1] ?? 0) : null,
    transitions: moves.map(([to, ms, attempt = 1]) => ({ from: null, to, at: at(ms), reason: '', attempt })),
    ...overrides,
  };
}

const event = (seq: number, type: string, ms: number, payload: Record<string, unknown> = {}): RunEventView => ({
  runId: 'run_1',
  seq,
  type,
  at: at(ms),
  payload,
});

describe('timelineSpans', () => {
  it('shows each attempt of a call and the pauses between them', () => {
    const invocation = createInvocation([
      ['REQUESTED', 20],
      ['ARGUMENTS_VALIDATED', 21],
      ['EXECUTING', 22],
      ['RETRY_WAIT', 50],
      ['EXECUTING', 150, 2],
      ['SUCCEEDED', 180, 2],
    ]);
    const call = timelineSpans(createRun({ invocations: [invocation] }), []).find(({ kind }) => kind === 'call');
    expect(call?.segments).toEqual([
      { kind: 'work', fromMs: 22, toMs: 50, tone: 'error', attempt: 1 },
      { kind: 'retry', fromMs: 50, toMs: 150, tone: 'warn', attempt: 1 },
      { kind: 'work', fromMs: 150, toMs: 180, tone: 'ok', attempt: 2 },
    ]);
  });
  it('leaves the end open while a run goes on', () => {
    const run = createRun({ state: 'RUNNING', endedAt: null, invocations: [createInvocation([['EXECUTING', 22]])] });
    expect(timelineSpans(run, []).find(({ kind }) => kind === 'call')).toMatchObject({
      toMs: null,
      tone: 'active',
      segments: [{ toMs: null }],
    });
  });
  it('closes what was under way when the run ended', () => {
    const run = createRun({ state: 'TIMEOUT', invocations: [createInvocation([['EXECUTING', 22]])] });
    expect(timelineSpans(run, []).find(({ kind }) => kind === 'call')?.toMs).toBe(1000);
  });
  it('puts queue, plan, wait and answer in the order in which they began', () => {
    const events = [
      event(1, 'SUPERVISOR_RUN_START', 10),
      event(2, 'AgentPlanProposed', 15),
      event(3, 'question-asked', 100, { id: 'qst_1' }),
      event(4, 'question-answered', 600, { questionId: 'qst_1' }),
      event(5, 'text-delta', 700),
      event(6, 'ModelResponseProduced', 900),
    ];
    const spans = timelineSpans(createRun(), events);
    expect(spans.map(({ kind, fromMs, toMs }) => [kind, fromMs, toMs])).toEqual([
      ['queue', 0, 10],
      ['plan', 10, 15],
      ['question', 100, 600],
      ['answer', 700, 900],
    ]);
  });
});

describe('waitingGaps and timeScale', () => {
  it('take out waiting, but not the work that goes on beside it', () => {
    const spans = timelineSpans(
      createRun({
        invocations: [
          createInvocation(
            [
              ['EXECUTING', 200],
              ['SUCCEEDED', 300],
            ],
            { requestedAt: at(200) },
          ),
        ],
      }),
      [event(1, 'question-asked', 100, { id: 'qst_1' }), event(2, 'question-answered', 600, { questionId: 'qst_1' })],
    );
    const gaps = waitingGaps(spans, 1000);
    expect(gaps).toEqual([
      { fromMs: 0, toMs: 10 },
      { fromMs: 100, toMs: 200 },
      { fromMs: 300, toMs: 600 },
    ]);
    const scale = timeScale(1000, gaps);
    expect(scale.shownMs).toBe(590);
    expect(scale.at(100)).toBeCloseTo(90 / 590);
    expect(scale.at(150)).toBeCloseTo(90 / 590);
    expect(scale.at(1000)).toBe(1);
  });
});

describe('axisTicks', () => {
  it('are round and few', () => {
    expect(axisTicks({ fromMs: 0, toMs: 1000, count: 4 })).toEqual([0, 500, 1000]);
    expect(axisTicks({ fromMs: 0, toMs: 37, count: 4 })).toEqual([0, 10, 20, 30]);
  });
});
