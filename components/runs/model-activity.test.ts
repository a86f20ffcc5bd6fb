import { describe, expect, it } from 'vitest';
import type { RunEventView } from '#lib/supervisor/contract.ts';
import { hasModelActivity, modelActivity, sumCosts, tokensOf } from './model-activity.ts';

let seq = 0;
const event = (type: string, payload: RunEventView['payload']): RunEventView => {
  seq += 1;
  return { runId: 'run_1', seq, type, at: '2026-01-01T12:00:00Z', payload };
};
const usage = { inputTokens: 100, cachedInputTokens: 20, cacheWriteTokens: 3, outputTokens: 40, reasoningTokens: 5, isEstimated: false };
const call = (cost: { micros: number; currency: string } | null) =>
  event('model-call', {
    path: `p${seq}`,
    agentId: 'platform_supervisor',
    provider: 'compatible',
    model: 'small-1',
    attempts: 2,
    durationMs: 120,
    firstPartMs: null,
    finishReason: 'stop',
    toolCalls: 0,
    usage,
    cost,
  });
const thought = (step: number, text: string) => event('reasoning-delta', { step, text });
const fragment = (contributor: string, key: string, value: string, isOverridden = false) => ({
  contributor,
  order: 0,
  namespace: 'ontology',
  key,
  value,
  isOverridden,
});

describe('modelActivity', () => {
  it('is empty for a run without a model, and for entries it does not know', () => {
    const activity = modelActivity([event('AgentPlanProposed', {}), event('model-call', { of: 'another version' })]);
    expect(hasModelActivity(activity)).toBe(false);
  });

  it('counts every class of tokens once, and never takes an unknown price for nothing', () => {
    const { calls } = modelActivity([call({ micros: 3520, currency: 'USD' }), call(null), call({ micros: 480, currency: 'USD' })]);
    expect(calls.map(tokensOf)).toEqual([168, 168, 168]);
    expect(sumCosts(calls)).toEqual({ costs: [{ currency: 'USD', micros: 4000 }], unpriced: 1 });
    expect(sumCosts([{ cost: null }])).toEqual({ costs: [], unpriced: 1 });
  });

  it('ties an answer to the task it answers', () => {
    const { handoffs } = modelActivity([
      event('handoff', { path: 'a', from: 'platform_supervisor', to: 'documents', task: 'first' }),
      event('handoff', { path: 'b', from: 'platform_supervisor', to: 'echo', task: 'second' }),
      event('handoff-answered', { path: 'b', agent: 'echo', text: 'done' }),
    ]);
    expect(handoffs.map(({ task, answer }) => [task, answer])).toEqual([
      ['first', null],
      ['second', 'done'],
    ]);
  });

  it('joins what was thought, a text a step', () => {
    expect(modelActivity([thought(0, 'I should '), thought(0, 'look.'), thought(1, 'Now answer.')]).reasoning).toEqual([
      { step: 0, text: 'I should look.' },
      { step: 1, text: 'Now answer.' },
    ]);
  });

  it('sizes the prompt by contributor, counting only what was sent', () => {
    const { prompts } = modelActivity([
      event('context-assembled', {
        fragments: [
          fragment('ontology', 'summary', 'replaced', true),
          fragment('ontology', 'terms', 'x'.repeat(30)),
          fragment('history', 'turns', ''),
          fragment('override', 'summary', 'y'.repeat(10)),
        ],
      }),
    ]);
    const prompt = prompts[0]?.parts ?? [];
    expect(prompt.map(({ contributor, characters, share }) => [contributor, characters, share])).toEqual([
      ['ontology', 30, 0.75],
      ['history', 0, 0],
      ['override', 10, 0.25],
    ]);
    expect(prompt.flatMap(({ fragments }) => fragments.map(({ isOverridden, isSent }) => [isOverridden, isSent]))).toEqual([
      [true, false],
      [false, true],
      [false, false],
      [false, true],
    ]);
  });
});
