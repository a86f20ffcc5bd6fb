import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ME, WorkspaceFrame } from '#components/testing/workspace-frame.tsx';
import type { CompactionView, ContextView } from '#lib/conversations/contract.ts';
import { CompactionMarker } from './compaction-marker.tsx';
import { ContextMeter } from './context-meter.tsx';

afterEach(cleanup);

const compaction: CompactionView = {
  runId: 'run_9',
  path: 'platform_supervisor/m0/compaction',
  source: 'model',
  summary: '- Ada likes tea.',
  progress: null,
  turns: [
    { runId: 'run_1', asked: 'What do I like?' },
    { runId: 'run_2', asked: 'And Bob?' },
  ],
  stepCount: 0,
  tokensBefore: 14_000,
  tokensAfter: 2_000,
};

describe('CompactionMarker', () => {
  it('says how much left, and opens to the key points, to what left, and to what may be pinned', () => {
    const toggle = vi.fn();
    render(
      <WorkspaceFrame me={ME}>
        <CompactionMarker compaction={compaction} pins={new Map([['run_2', { isPinned: false, toggle }]])} />
      </WorkspaceFrame>,
    );
    const line = screen.getByRole('button', { name: /^2 exchanges → key points.*14K → 2K tokens$/ });
    fireEvent.click(line);
    expect(screen.getByText('Ada likes tea.', { exact: false })).toBeTruthy();
    expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toContain('And Bob?Pin');
    fireEvent.click(screen.getByRole('button', { name: 'Pin' }));
    expect(toggle).toHaveBeenCalledOnce();
  });

  it('says when no model wrote the key points', () => {
    render(
      <WorkspaceFrame me={ME}>
        <CompactionMarker
          compaction={{ ...compaction, source: 'extract', turns: [], stepCount: 3, summary: null, progress: '- Looked.' }}
        />
      </WorkspaceFrame>,
    );
    fireEvent.click(screen.getByRole('button', { name: /^3 steps of this answer/ }));
    expect(screen.getByText(/No model wrote these/)).toBeTruthy();
  });
});

describe('ContextMeter', () => {
  const context: ContextView = { windowTokens: 4_000, limitTokens: 1_000, system: 200, summary: 50, history: 100, tools: 30 };

  it('says how much of the room is used, and opens to rows that sum to it', () => {
    render(
      <WorkspaceFrame me={ME}>
        <ContextMeter sessionId="ses_1" context={context} usage={null} />
      </WorkspaceFrame>,
    );
    fireEvent.click(screen.getByRole('button', { name: '38% of the model’s room used' }));
    expect(screen.getAllByRole('row').map(({ textContent }) => textContent)).toEqual([
      'Instructions and context200',
      'Messages100',
      'Key points50',
      'Tools30',
      'Free620',
    ]);
  });
});
