import { cleanup, render, screen, within } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { WorkspaceFrame } from '#components/testing/workspace-frame.tsx';
import type { StageView } from '#lib/supervisor/contract.ts';
import { StageList } from './stage-list.tsx';

const stage = (id: string, over: Partial<StageView> = {}): StageView => ({
  id,
  title: { en: id, 'zh-CN': id },
  state: 'done',
  summary: '',
  confidence: null,
  reasons: [],
  ...over,
});

afterEach(cleanup);

describe('StageList', () => {
  it('tells of each stage what it found, how sure it was, why, and whether it was needed', () => {
    render(
      <WorkspaceFrame>
        <StageList
          stages={[
            stage('Intent', { summary: 'runs', confidence: 0.98, reasons: ['failed: failed', 'period: this week'] }),
            stage('Data', { state: 'skipped' }),
            stage('Executor', { state: 'waiting' }),
          ]}
        />
      </WorkspaceFrame>,
    );
    const [intent, data, executor] = screen.getAllByRole('listitem');
    for (const text of ['Intent', 'runs', /0\.98/, 'failed: failed · period: this week', 'Done'])
      expect(within(intent as HTMLElement).getByText(text)).toBeTruthy();
    expect(within(data as HTMLElement).getByText('Not needed')).toBeTruthy();
    expect(within(executor as HTMLElement).getByText('Not reached')).toBeTruthy();
  });
});
