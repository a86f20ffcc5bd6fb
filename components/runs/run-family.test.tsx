import { cleanup, render, screen, within } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { WorkspaceFrame } from '#components/testing/workspace-frame.tsx';
import { RunFamily } from './run-family.tsx';

afterEach(cleanup);

const task = { sessionId: 'ses_2', invocationId: 'inv_1' };
const show = (run: Parameters<typeof RunFamily>[0]['run']) =>
  render(
    <WorkspaceFrame>
      <RunFamily run={run} tenantSlug="acme" />
    </WorkspaceFrame>,
  );

describe('the family of a run', () => {
  it('leads to the run that handed the task on', () => {
    show({ parentRunId: 'run_1', tasks: [] });
    expect(screen.getByRole('link', { name: 'run_1' }).getAttribute('href')).toBe('/acme/runs/run_1');
  });

  it('leads to each task, with how it stands', () => {
    show({
      parentRunId: null,
      tasks: [
        { ...task, runId: 'run_2', textHead: 'Count the words', state: 'FINISH_OK' },
        { ...task, runId: 'run_3', textHead: 'Ask the librarian', state: 'WAITING' },
      ],
    });
    const items = within(screen.getByRole('list', { name: 'Tasks handed on' })).getAllByRole('listitem');
    expect(items.map((item) => within(item).getByRole('link').getAttribute('href'))).toEqual(['/acme/runs/run_2', '/acme/runs/run_3']);
    expect(items[1]?.textContent).toContain('Ask the librarian');
  });

  it('is not there for a run that stands alone', () => {
    show({ parentRunId: null, tasks: [] });
    expect(screen.queryByRole('region')).toBeNull();
  });
});
