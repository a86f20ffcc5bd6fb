import { describe, expect, it } from 'vitest';
import { criticalPath } from './critical-path.ts';
import type { ModelActivity } from './model-activity.ts';
import { openRows, spanTree } from './span-tree.ts';
import { stateLanes } from './state-moves.ts';
import { timeSplit } from './time-split.ts';
import type { SpanSegment, TimelineSpan } from './timeline-spans.ts';

function createSpan(
  overrides: Partial<TimelineSpan> & { id: string; fromMs: number; toMs: number | null },
  segment: SpanSegment['kind'] = 'work',
): TimelineSpan {
  const { fromMs, toMs } = overrides;
  return {
    kind: 'call',
    capabilityId: 'echo',
    tone: 'ok',
    segments: [{ kind: segment, fromMs, toMs, tone: 'ok', attempt: 1 }],
    ...overrides,
  };
}

const NO_ACTIVITY: ModelActivity = { calls: [], handoffs: [], reasoning: [], prompts: [] };

const call = (seq: number, path: string, micros: number | null) => ({
  seq,
  at: '2026-01-01T00:00:00.000Z',
  path,
  agentId: 'a',
  provider: 'p',
  model: 'm',
  attempts: 1,
  durationMs: 1,
  firstPartMs: null,
  finishReason: 'stop',
  toolCalls: 0,
  usage: { inputTokens: 10, cachedInputTokens: 0, cacheWriteTokens: 0, outputTokens: 5, reasoningTokens: 0, isEstimated: false },
  cost: micros === null ? null : { micros, currency: 'USD' },
  prompt: [],
});

const at = (ms: number) => new Date(Date.UTC(2026, 0, 1) + ms).toISOString();

describe('criticalPath', () => {
  it('is what decided the length, and not what ran beside it', () => {
    const spans = [
      createSpan({ id: 'queue', kind: 'queue', fromMs: 0, toMs: 10 }),
      createSpan({ id: 'short', fromMs: 10, toMs: 40 }),
      createSpan({ id: 'long', fromMs: 10, toMs: 90 }),
      createSpan({ id: 'answer', kind: 'answer', fromMs: 90, toMs: 100 }),
    ];
    expect([...criticalPath(spans, 100)].toSorted()).toEqual(['answer', 'long', 'queue']);
  });
});

describe('timeSplit', () => {
  it('sums to the whole, and counts what overlaps once', () => {
    const split = timeSplit(
      [
        createSpan({ id: 'm', kind: 'model', fromMs: 0, toMs: 50 }),
        createSpan({ id: 't', fromMs: 40, toMs: 70 }),
        createSpan({ id: 'q', kind: 'question', fromMs: 60, toMs: null }, 'person'),
      ],
      100,
    );
    expect(split).toEqual({ modelMs: 40, toolMs: 20, humanMs: 40, idleMs: 0 });
  });
});

describe('spanTree', () => {
  const spans = [
    createSpan({ id: 'model-1', kind: 'model', capabilityId: null, path: 'sup/m0', fromMs: 0, toMs: 50 }),
    createSpan({ id: 'inv_1', path: 'sup/m0/t0', fromMs: 50, toMs: 70, tone: 'error' }),
    createSpan({ id: 'model-2', kind: 'model', capabilityId: null, path: 'sup/m0/t1/spec/m0', fromMs: 60, toMs: 80 }),
    createSpan({ id: 'answer', kind: 'answer', capabilityId: null, fromMs: 90, toMs: 100 }),
  ];
  it('hangs calls from the model call that asked for them, and sums cost, tokens and failures upwards', () => {
    const rows = spanTree(spans, { ...NO_ACTIVITY, calls: [call(1, 'sup/m0', 100), call(2, 'sup/m0/t1/spec/m0', 20)] }, 100);
    expect(rows.map(({ id, level }) => [id, level])).toEqual([
      ['run', 1],
      ['answer', 2],
      ['sup', 2],
      ['model-1', 3],
      ['inv_1', 4],
      ['model-2', 4],
    ]);
    expect(rows[0]).toMatchObject({ tokens: 30, cost: { micros: 120, currency: 'USD' }, failures: 1, durationMs: 100 });
    expect(rows[2]).toMatchObject({ childCount: 1, durationMs: 80 });
    expect(openRows(rows, new Set(['model-1'])).map(({ id }) => id)).toEqual(['run', 'answer', 'sup', 'model-1']);
    expect(openRows(rows, new Set(['sup'])).map(({ id }) => id)).toEqual(['run', 'answer', 'sup']);
  });
  it('does not pass an unknown cost for none', () => {
    const rows = spanTree(spans, { ...NO_ACTIVITY, calls: [call(1, 'sup/m0', 100), call(2, 'sup/m0/t1/spec/m0', null)] }, 100);
    expect(rows[0]?.cost).toBeNull();
  });
  it('places thousands of spans', () => {
    const many = Array.from({ length: 5_000 }, (_, number) =>
      createSpan({ id: `inv_${number}`, path: `pipe/${number}`, fromMs: number, toMs: number + 1 }),
    );
    expect(spanTree(many, NO_ACTIVITY, 5_000)).toHaveLength(5_002);
  });
});

describe('stateLanes', () => {
  it('has every move with its reason and how long the state lasted', () => {
    const lanes = stateLanes({
      sessionMoves: [{ from: 'IDLE', to: 'PLANNING', reason: 'a run has started', at: at(0) }],
      events: [],
      invocations: [
        {
          id: 'inv_1',
          step: 0,
          capabilityId: 'echo',
          capabilityVersion: '1',
          state: 'SUCCEEDED',
          attempt: 2,
          error: null,
          requestedAt: at(0),
          finishedAt: at(9_000),
          transitions: [
            { from: 'EXECUTING', to: 'RETRY_WAIT', at: at(1_000), reason: 'busy', attempt: 1 },
            { from: 'RETRY_WAIT', to: 'EXECUTING', at: at(6_000), reason: 'again', attempt: 2 },
          ],
        },
      ],
    });
    expect(lanes.map(({ kind }) => kind)).toEqual(['session', 'call']);
    expect(lanes[1]?.moves[0]).toMatchObject({ to: 'RETRY_WAIT', reason: 'busy', dwellMs: 5_000 });
    expect(lanes[1]?.moves[1]?.dwellMs).toBeNull();
  });
});
