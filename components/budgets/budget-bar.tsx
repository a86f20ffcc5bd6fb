import type { BudgetUseView, BudgetView } from '#lib/models/contract.ts';

const WIDTH = 200;

/** How much of a budget is used, what calls under way hold, and where answers become concise. The figures stand beside it in words. */
export function BudgetBar({
  budget,
  use,
}: {
  budget: Pick<BudgetView, 'softLimit' | 'hardLimit'>;
  use: Pick<BudgetUseView, 'used' | 'reserved'>;
}) {
  const whole = Math.max(budget.hardLimit ?? 0, budget.softLimit ?? 0, 1);
  const at = (amount: number) => Math.min(1, amount / whole) * WIDTH;
  const fill = FILLS[toneOf(budget, use.used + use.reserved)];
  return (
    <svg viewBox={`0 0 ${WIDTH} 6`} preserveAspectRatio="none" aria-hidden className="block h-1.5 w-full">
      <rect width={WIDTH} height="6" className="fill-border" />
      <rect width={at(use.used + use.reserved)} height="6" opacity="0.45" className={fill} />
      <rect width={at(use.used)} height="6" className={fill} />
      {budget.softLimit !== null && budget.hardLimit !== null ? (
        <rect x={at(budget.softLimit)} width="1" height="6" className="fill-foreground" />
      ) : null}
    </svg>
  );
}

export type BudgetTone = 'ok' | 'concise' | 'full';

/** What the next call meets. */
export function toneOf({ softLimit, hardLimit }: Pick<BudgetView, 'softLimit' | 'hardLimit'>, taken: number): BudgetTone {
  if (hardLimit !== null && taken >= hardLimit) return 'full';
  return softLimit !== null && taken >= softLimit ? 'concise' : 'ok';
}

const FILLS: Readonly<Record<BudgetTone, string>> = { ok: 'fill-primary', concise: 'fill-warn', full: 'fill-destructive' };
