import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { answerJson, startApiServer } from '#components/testing/api-server.ts';
import { WorkspaceFrame } from '#components/testing/workspace-frame.tsx';
import type { PurgeView } from '#lib/tenancy/contract.ts';
import { PurgeList } from './purge-list.tsx';

const PURGE: PurgeView = {
  tenantId: 'ten_1',
  slug: 'gone',
  name: 'Gone',
  requestedAt: '2026-01-01T11:59:00Z',
  totalRows: null,
  purgedRows: 0,
  finishedAt: null,
};

afterEach(cleanup);

const open = (purges: PurgeView[]) =>
  render(
    <WorkspaceFrame>
      <PurgeList purges={purges} source="/api/account/deletions" emptyText="Nothing." />
    </WorkspaceFrame>,
  );

describe('PurgeList', () => {
  it('follows a removal to its end, and then asks no more', async () => {
    const steps: Partial<PurgeView>[] = [
      { totalRows: 1200, purgedRows: 400 },
      { totalRows: 1200, purgedRows: 1200, finishedAt: '2026-01-01T12:00:00Z' },
    ];
    const { asked } = await startApiServer((_request, response) =>
      answerJson(response, { items: [{ ...PURGE, ...(steps.shift() ?? { purgedRows: -1 }) }], nextCursor: null }),
    );
    open([PURGE]);
    expect(screen.getByText('Stopping runs and counting rows')).toBeDefined();
    expect(await screen.findByText('400 of 1,200 rows removed', {}, { timeout: 4_000 })).toBeDefined();
    expect(await screen.findByText('1,200 rows removed', {}, { timeout: 4_000 })).toBeDefined();
    expect(screen.queryByRole('progressbar')).toBeNull();
    await new Promise((resolve) => setTimeout(resolve, 1_700));
    expect(asked).toHaveLength(2);
  }, 15_000);

  it('says so where nothing was deleted, and asks nothing', async () => {
    const { asked } = await startApiServer((_request, response) => answerJson(response, {}));
    open([]);
    expect(screen.getByText('Nothing.')).toBeDefined();
    expect(asked).toEqual([]);
  });
});
