import { cleanup, render, screen, within } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { WorkspaceFrame } from '#components/testing/workspace-frame.tsx';
import type { ModelUsageView, ModelUseView } from '#lib/record/contract.ts';
import { UsageByDay, UsageTable } from './usage-table.tsx';

afterEach(cleanup);

const use = (more: Partial<ModelUseView> = {}): ModelUseView => ({
  calls: 2,
  inputTokens: 1_000,
  cachedInputTokens: 200,
  cacheWriteTokens: 30,
  outputTokens: 4,
  reasoningTokens: 5,
  totalTokens: 1_239,
  estimatedCalls: 0,
  unpricedCalls: 0,
  costs: [{ currency: 'USD', micros: 1_234_500 }],
  ...more,
});
const usage = (more: Partial<ModelUsageView>): ModelUsageView => ({
  by: 'model',
  from: '2026-01-01',
  to: '2026-01-03',
  timeZone: 'UTC',
  items: [{ key: 'compatible/m', name: null, ...use() }],
  total: use(),
  ...more,
});
const open = (shown: React.ReactNode) => render(<WorkspaceFrame path="/acme/settings/usage">{shown}</WorkspaceFrame>);
const cellsOf = (row: HTMLElement) =>
  within(row)
    .getAllByRole('cell')
    .map(({ textContent }) => textContent);

describe('UsageTable', () => {
  it('tells the classes of each, what was estimated, and what has no price', () => {
    const item = { key: 'compatible/m', name: null, ...use({ estimatedCalls: 1, unpricedCalls: 2 }) };
    open(<UsageTable usage={usage({ items: [item] })} />);
    const [, row, total] = screen.getAllByRole('row');
    expect(row && cellsOf(row)).toEqual([
      'compatible/m',
      '',
      '2',
      '1,000',
      '200',
      '30',
      '4',
      '5',
      '1,2391 call estimated',
      '$1.232 calls without a price',
    ]);
    expect(total && cellsOf(total)[0]).toBe('All 1');
  });

  it('names purposes and people, and who has left', () => {
    open(<UsageTable usage={usage({ by: 'scene', items: [{ key: 'summary', name: null, ...use() }] })} />);
    expect(screen.getByText('Summaries of long chats')).toBeDefined();
    cleanup();
    open(<UsageTable usage={usage({ by: 'person', items: [{ key: 'usr_1', name: null, ...use() }] })} />);
    expect(screen.getByText('Somebody who has left')).toBeDefined();
  });
});

describe('UsageByDay', () => {
  it('has a place for each day, those without use too', () => {
    const { container } = open(<UsageByDay usage={usage({ by: 'day', items: [{ key: '2026-01-02', name: null, ...use() }] })} />);
    expect([...container.querySelectorAll('rect')].map((bar) => bar.getAttribute('height'))).toEqual(['0', '100', '0']);
    expect(screen.getByText('Tokens a day, at most 1,239')).toBeDefined();
  });
});
