'use client';

import { useTranslations } from 'next-intl';
import { useEffect, useState } from 'react';
import { requestJson } from '#components/api/request.ts';
import { useMe } from '#components/shell/me-scope.tsx';
import { type BudgetView, budgetPage } from '#lib/models/contract.ts';
import { BudgetBar } from './budget-bar.tsx';
import { useAmountText } from './use-amount-text.ts';
import { useBudgetName } from './use-budget-name.ts';

/** The budgets that hold for a chat, each with what is used of it; nothing where there is none. Read when it is looked at. */
export function SessionBudgets({ sessionId }: { sessionId: string }) {
  const t = useTranslations('budgets');
  const { tenant } = useMe();
  const amount = useAmountText();
  const nameOf = useBudgetName();
  const [budgets, setBudgets] = useState<readonly BudgetView[] | 'away'>([]);
  useEffect(() => {
    let isShown = true;
    requestJson(`/api/t/${tenant.slug}/sessions/${sessionId}/budgets`, budgetPage)
      .then(({ items }) => isShown && setBudgets(items))
      .catch(() => isShown && setBudgets('away'));
    return () => {
      isShown = false;
    };
  }, [tenant.slug, sessionId]);
  if (budgets === 'away') return <p className="mt-2 text-meta text-destructive">{t('away')}</p>;
  if (budgets.length === 0) return null;
  return (
    <section aria-label={t('title')} className="mt-3 flex flex-col gap-2 border-t border-border pt-2">
      {budgets.map((budget) => {
        const use = budget.uses[0] ?? { used: 0, reserved: 0 };
        const limit = budget.hardLimit ?? budget.softLimit ?? 0;
        return (
          <div key={budget.id} className="flex flex-col gap-1">
            <p className="flex justify-between gap-2 text-meta text-muted-foreground tabular">
              <span>{nameOf(budget)}</span>
              <span>{t('usedOf', { used: amount(budget, use.used), limit: amount(budget, limit) })}</span>
            </p>
            <BudgetBar budget={budget} use={use} />
            {budget.softLimit === null ? null : (
              <p className="text-meta text-muted-foreground">{t('softAt', { amount: amount(budget, budget.softLimit) })}</p>
            )}
          </div>
        );
      })}
    </section>
  );
}
