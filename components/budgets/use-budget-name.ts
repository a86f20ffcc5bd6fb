import { useTranslations } from 'next-intl';
import type { BudgetView } from '#lib/models/contract.ts';

/** Whose budget it is, and for which time. */
export function useBudgetName(): (budget: Pick<BudgetView, 'subject' | 'person' | 'period'>) => string {
  const t = useTranslations('budgets');
  return ({ subject, person, period }) => {
    const who = person ? (person.name ?? t('goneMember')) : t(`subjects.${subject}`);
    return t('name', { who, period: t(`periods.${period}`) });
  };
}
