import { cleanup, render, screen, within } from '@testing-library/react';
import { afterEach, describe, expect } from 'vitest';
import { WorkspaceFrame } from '#components/testing/workspace-frame.tsx';
import { verifies } from '#e2e/verifies.ts';
import { ModelFigures } from './model-figures.tsx';
import { RunFigures } from './run-figures.tsx';
import { StageFigures } from './stage-figures.tsx';
import { ToolFigures } from './tool-figures.tsx';

afterEach(cleanup);

const open = (shown: React.ReactNode) => render(<WorkspaceFrame path="/acme/metrics">{shown}</WorkspaceFrame>);
const rows = () =>
  screen
    .getAllByRole('row')
    .slice(1)
    .map((row) =>
      within(row)
        .getAllByRole('cell')
        .map(({ textContent }) => textContent),
    );
const bars = (container: HTMLElement) =>
  [...container.querySelectorAll<HTMLElement>('[aria-hidden] > span')].map(({ style }) => style.width);

describe('the charts of a workspace', () => {
  verifies('H-32', 'draw tools as long as they take, and lead to the runs that called them', () => {
    const { container } = open(
      <ToolFigures
        tenantSlug="acme"
        titles={{ 'math.calculate': 'Calculator' }}
        tools={[
          { capabilityId: 'weather.get', calls: 4, failed: 1, retries: 2, meanMs: 900, p95Ms: 2_000 },
          { capabilityId: 'math.calculate', calls: 1, failed: 0, retries: 0, meanMs: 500, p95Ms: 500 },
          { capabilityId: null, calls: 1, failed: 1, retries: 0, meanMs: null, p95Ms: null },
        ]}
      />,
    );
    expect(rows()).toEqual([
      ['weather.get', '2.0 s', '900 ms', '4', '25%', '2'],
      ['Calculator', '500 ms', '500 ms', '1', '0%', '0'],
      ['Names that no tool has', '–', '–', '1', '100%', '0'],
    ]);
    expect(bars(container)).toEqual(['100%', '25%', '0%']);
    expect(screen.getByRole('link', { name: 'weather.get' }).getAttribute('href')).toBe('/acme/runs?capability=weather.get');
  });

  verifies('H-32', 'draw providers as dear as they are, and tell calls without a price apart', () => {
    const figures = { scene: 'answer', inputTokens: 1_000, outputTokens: 20, meanMs: 1_500 };
    const { container } = open(
      <ModelFigures
        models={[
          { ...figures, provider: 'openai', model: 'dear', calls: 2, costs: [{ currency: 'USD', micros: 400_000 }], unpriced: 0 },
          { ...figures, provider: 'local', model: 'cheap', calls: 3, costs: [{ currency: 'USD', micros: 100_000 }], unpriced: 1 },
        ]}
      />,
    );
    expect(rows().map(([model, cost]) => [model, cost])).toEqual([
      ['dearopenai · answers', '$0.40'],
      ['cheaplocal · answers', '$0.10and 1 call without a price'],
    ]);
    expect(bars(container)).toEqual(['100%', '25%']);
  });

  verifies('H-32', 'draw where runs stand as long as they have been silent, and lead to the one that is stuck', () => {
    const { container } = open(
      <StageFigures
        tenantSlug="acme"
        readAt="2026-01-01T00:01:00.000Z"
        stages={[
          { stage: 'approval', runs: 3, runId: 'run_1', since: '2026-01-01T00:00:00.000Z' },
          { stage: 'model', runs: 1, runId: 'run_2', since: '2026-01-01T00:00:45.000Z' },
        ]}
      />,
    );
    expect(rows().map((cells) => cells.at(-1))).toEqual(['3', '1']);
    expect(bars(container)).toEqual(['100%', '25%']);
    expect(screen.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual(['/acme/runs/run_1', '/acme/runs/run_2']);
  });

  verifies('H-32', 'tell how runs ended, each figure leading to its runs', () => {
    open(<RunFigures tenantSlug="acme" runs={{ total: 8, succeeded: 5, failed: 2, stopped: 1, p50Ms: 90, p95Ms: null }} />);
    expect(screen.getByText('62.5%')).toBeDefined();
    expect(screen.getByRole('link', { name: 'Failed' }).getAttribute('href')).toBe('/acme/runs?state=FINISH_ERROR,TIMEOUT');
  });
});
