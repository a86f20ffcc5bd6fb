import type { RouteScripts } from './route-scripts.ts';

export interface Budget {
  /** The page and those below it, unless one of those has a budget of its own. */
  readonly route: string;
  /** More than this fails. */
  readonly limitKiB: number;
  /** What we work towards, where we are not there yet. */
  readonly aimKiB?: number;
}

export interface Verdict extends RouteScripts {
  readonly budget: Budget | null;
  readonly isOver: boolean;
}

const KIB = 1024;

/** Sets each page beside the nearest budget above it. */
export function judgeBudgets(routes: readonly RouteScripts[], budgets: readonly Budget[]): Verdict[] {
  return routes.map((scripts) => {
    const above = budgets.filter(({ route }) => scripts.route === route || scripts.route.startsWith(`${route}/`));
    const budget = above.toSorted((a, b) => b.route.length - a.route.length)[0] ?? null;
    return { ...scripts, budget, isOver: budget !== null && scripts.gzipBytes > budget.limitKiB * KIB };
  });
}

/** A table for people, the heaviest page first. */
export function writeReport(verdicts: readonly Verdict[]): string {
  const rows = verdicts
    .toSorted((a, b) => b.gzipBytes - a.gzipBytes)
    .map(({ route, gzipBytes, budget, isOver }) =>
      line([
        route,
        (gzipBytes / KIB).toFixed(1),
        budget ? String(budget.limitKiB) : '–',
        budget ? String(budget.aimKiB ?? budget.limitKiB) : '–',
        isOver ? 'over' : '',
      ]),
    );
  return [line(['page', 'own KiB, gzip', 'limit', 'aim', '']), '|---|--:|--:|--:|---|', ...rows].join('\n');
}

function line(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}
