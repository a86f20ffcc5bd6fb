import { describe, expect, it } from 'vitest';
import { judgeBudgets, writeReport } from './judge-budgets.ts';

const KIB = 1024;
const BUDGETS = [
  { route: '/[tenant]', limitKiB: 100 },
  { route: '/[tenant]/chat', limitKiB: 140, aimKiB: 120 },
];

describe('judgeBudgets', () => {
  it('holds a page to the nearest budget above it', () => {
    const [chat, runs, other] = judgeBudgets(
      [
        { route: '/[tenant]/chat/[session]', gzipBytes: 130 * KIB },
        { route: '/[tenant]/runs', gzipBytes: 130 * KIB },
        { route: '/[tenants]', gzipBytes: 999 * KIB },
      ],
      BUDGETS,
    );
    expect(chat).toMatchObject({ isOver: false, budget: { limitKiB: 140 } });
    expect(runs).toMatchObject({ isOver: true, budget: { limitKiB: 100 } });
    expect(other).toMatchObject({ isOver: false, budget: null });
  });
  it('lets a page have all of its budget and not a byte more', () => {
    const pages = [100 * KIB, 100 * KIB + 1].map((gzipBytes) => ({ route: '/[tenant]', gzipBytes }));
    expect(judgeBudgets(pages, BUDGETS).map(({ isOver }) => isOver)).toEqual([false, true]);
  });
  it('writes the heaviest page first and marks what is over', () => {
    const report = writeReport(
      judgeBudgets(
        [
          { route: '/[tenant]/chat', gzipBytes: 90 * KIB },
          { route: '/[tenant]/runs', gzipBytes: 130 * KIB },
        ],
        BUDGETS,
      ),
    );
    expect(report.split('\n').slice(2)).toEqual([
      '| /[tenant]/runs | 130.0 | 100 | 100 | over |',
      '| /[tenant]/chat | 90.0 | 140 | 120 |  |',
    ]);
  });
});
