import { useFormatter, useTranslations } from 'next-intl';
import type { BudgetView } from '#lib/models/contract.ts';

const MICROS = 1_000_000;

/** An amount of a budget as people read it: so many tokens, or money. */
export function useAmountText(): (of: Pick<BudgetView, 'measure' | 'currency'>, amount: number) => string {
  const t = useTranslations('budgets');
  const format = useFormatter();
  return ({ measure, currency }, amount) =>
    measure === 'tokens' || currency === null
      ? t('tokens', { count: format.number(amount) })
      : format.number(amount / MICROS, { style: 'currency', currency, maximumFractionDigits: amount >= MICROS ? 2 : 4 });
}
