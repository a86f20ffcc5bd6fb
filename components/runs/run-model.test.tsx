import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { WorkspaceFrame } from '#components/testing/workspace-frame.tsx';
import type { ModelActivity, ModelCall } from './model-activity.ts';
import { RunModel } from './run-model.tsx';

const CALL: ModelCall = {
  seq: 7,
  at: '2026-01-01T12:00:00Z',
  path: 'platform_supervisor/0',
  agentId: 'platform_supervisor',
  provider: 'compatible',
  model: 'small-1',
  attempts: 3,
  durationMs: 340,
  firstPartMs: 90,
  finishReason: 'length',
  toolCalls: 2,
  usage: { inputTokens: 1000, cachedInputTokens: 0, cacheWriteTokens: 0, outputTokens: 40, reasoningTokens: 5, isEstimated: true },
  cost: null,
  prompt: [
    { contributor: 'platform_supervisor', characters: 1200 },
    { contributor: 'conversation', characters: 30 },
  ],
};
const NOTHING: ModelActivity = { calls: [], handoffs: [], reasoning: [], prompts: [] };

afterEach(cleanup);

const summaryOf = (key: string) => screen.getByText(`ontology.${key}`).closest('summary')?.textContent;

function open(activity: ModelActivity, unread = 0) {
  const onMore = vi.fn();
  render(
    <WorkspaceFrame>
      <RunModel activity={activity} unread={unread} onMore={onMore} isLoading={false} />
    </WorkspaceFrame>,
  );
  return { onMore };
}

describe('RunModel', () => {
  it('shows a call with its agent, attempts, finish, tokens and an unset price', () => {
    open({ ...NOTHING, calls: [CALL] });
    for (const text of [
      'platform_supervisor',
      'compatible/small-1',
      '3 attempts',
      '1,045 tokens',
      '1,000 in',
      '40 out',
      '5 thinking',
      'no price set',
    ])
      expect(screen.getByText(text)).toBeDefined();
    expect(screen.getByText('Cut at its length limit · 2 tool calls')).toBeDefined();
    expect(screen.getByText('estimated: the provider reported none')).toBeDefined();
    expect(screen.getByText('1 call · 1,045 tokens · no price set')).toBeDefined();
  });

  it('shows what is known of the cost beside how much is not', () => {
    open({
      ...NOTHING,
      calls: [
        { ...CALL, cost: { micros: 3520, currency: 'USD' } },
        { ...CALL, seq: 8 },
      ],
    });
    expect(screen.getByText('$0.00352')).toBeDefined();
    expect(screen.getByText('2 calls · 2,090 tokens · $0.00352 · 1 call without a price')).toBeDefined();
  });

  it('keeps what was thought folded', () => {
    open({ ...NOTHING, reasoning: [{ step: 0, text: 'I should look.' }] });
    expect(screen.getByText('I should look.').closest('details')?.open).toBe(false);
  });

  it('marks what was overridden and what was empty', () => {
    const fragment = { contributor: 'ontology', order: 0, namespace: 'ontology', value: 'v', characters: 1 };
    open({
      ...NOTHING,
      prompts: [
        {
          path: 'platform_supervisor',
          agentId: 'platform_supervisor',
          parts: [
            {
              contributor: 'ontology',
              characters: 1,
              share: 1,
              fragments: [
                { ...fragment, key: 'old', isOverridden: true, isSent: false },
                { ...fragment, key: 'none', value: '', characters: 0, isOverridden: false, isSent: false },
                { ...fragment, key: 'new', isOverridden: false, isSent: true },
              ],
            },
          ],
        },
      ],
    });
    expect(summaryOf('old')).toContain('overridden, not sent');
    expect(summaryOf('none')).toContain('empty, not sent');
    expect(summaryOf('new')).not.toContain('not sent');
  });

  it('tells the prompts of several agents apart, and of each call what was sent', () => {
    const part = { contributor: 'echo', characters: 1, share: 1, fragments: [] };
    open({
      ...NOTHING,
      calls: [CALL],
      prompts: ['platform_supervisor', 'echo'].map((agentId) => ({ path: agentId, agentId, parts: [part] })),
    });
    expect(screen.getByRole('heading', { level: 3, name: 'echo' })).toBeDefined();
    expect(screen.getByText('sent, in characters: platform_supervisor 1,200 · conversation 30')).toBeDefined();
  });

  it('says that more of the log is to come rather than that there was no more', () => {
    const { onMore } = open(NOTHING, 500);
    expect(screen.getByText(/500 entries of the log not read yet/)).toBeDefined();
    fireEvent.click(screen.getByRole('button', { name: 'Read on' }));
    expect(onMore).toHaveBeenCalledOnce();
  });
});
