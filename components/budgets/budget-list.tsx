'use client';

import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { ConfirmDialog } from '#components/api/confirm-dialog.tsx';
import { requestDone } from '#components/api/request.ts';
import { useMe } from '#components/shell/me-scope.tsx';
import { Button } from '#components/ui/button.tsx';
import { StateChip } from '#components/ui/state-chip.tsx';
import { Time } from '#components/ui/time.tsx';
import type { BudgetUseView, BudgetView } from '#lib/models/contract.ts';
import { BudgetBar, toneOf } from './budget-bar.tsx';
import { EditBudget } from './budget-dialogs.tsx';
import type { Person } from './budget-draft.ts';
import { useAmountText } from './use-amount-text.ts';
import { useBudgetName } from './use-budget-name.ts';

/** Every budget of the workspace: its limits, what is used of it in its present period, and by whom. */
export function BudgetList({
  budgets,
  people,
  canManage,
}: {
  budgets: readonly BudgetView[];
  people: readonly Person[];
  canManage: boolean;
}) {
  const t = useTranslations('budgets');
  return (
    <ul aria-label={t('title')} className="border-t border-border">
      {budgets.map((budget) => (
        <BudgetRow key={budget.id} budget={budget} people={people} canManage={canManage} />
      ))}
    </ul>
  );
}

function BudgetRow({ budget, people, canManage }: { budget: BudgetView; people: readonly Person[]; canManage: boolean }) {
  const t = useTranslations('budgets');
  const amount = useAmountText();
  const name = useBudgetName()(budget);
  const isShared = budget.subject === 'tenant' || budget.person !== null;
  const most = budget.uses[0] ?? { id: '', name: null, used: 0, reserved: 0 };
  const limits = [
    ...(budget.softLimit === null ? [] : [t('softAt', { amount: amount(budget, budget.softLimit) })]),
    ...(budget.hardLimit === null ? [] : [t('hardAt', { amount: amount(budget, budget.hardLimit) })]),
  ];
  return (
    <li className="flex flex-col gap-2 border-b border-border py-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h2 className="min-w-0 flex-1 basis-56 text-ui font-medium">{name}</h2>
        {isShared ? <Standing budget={budget} use={most} /> : null}
        {canManage ? (
          <span className="flex items-center gap-1">
            <EditBudget
              budget={budget}
              people={people}
              trigger={
                <Button look="quiet" size="small" aria-label={t('editNamed', { name })}>
                  {t('edit')}
                </Button>
              }
            />
            <RemoveBudget budget={budget} name={name} />
          </span>
        ) : null}
      </div>
      <p className="text-meta text-muted-foreground tabular">{limits.join(' · ')}</p>
      {isShared ? <Use budget={budget} use={most} /> : <Uses budget={budget} />}
      {budget.endsAt ? (
        <p className="text-meta text-muted-foreground">
          {t('anew')} <Time at={budget.endsAt} />
        </p>
      ) : null}
    </li>
  );
}

/** Of each person or chat; those that have used nothing are not listed. */
function Uses({ budget }: { budget: BudgetView }) {
  const t = useTranslations('budgets');
  if (budget.uses.length === 0) return <p className="text-meta text-muted-foreground">{t('unused')}</p>;
  return (
    <ol aria-label={t('uses')} className="flex flex-col gap-1.5">
      {budget.uses.map((use) => (
        <li
          key={use.id}
          className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 gap-y-1 sm:grid-cols-[minmax(0,14rem)_minmax(0,1fr)_auto]"
        >
          <span className="truncate text-ui">{use.name ?? t(budget.subject === 'session' ? 'untitled' : 'goneMember')}</span>
          <div className="max-sm:col-span-2 max-sm:row-start-2">
            <Use budget={budget} use={use} />
          </div>
          <Standing budget={budget} use={use} />
        </li>
      ))}
    </ol>
  );
}

function Use({ budget, use }: { budget: BudgetView; use: BudgetUseView }) {
  const t = useTranslations('budgets');
  const amount = useAmountText();
  const used = amount(budget, use.used);
  return (
    <div className="flex flex-col gap-1">
      <BudgetBar budget={budget} use={use} />
      <p className="text-meta text-muted-foreground tabular">
        {use.reserved > 0 ? t('usedAndHeld', { used, held: amount(budget, use.reserved) }) : t('used', { used })}
      </p>
    </div>
  );
}

function Standing({ budget, use }: { budget: BudgetView; use: BudgetUseView }) {
  const t = useTranslations('budgets.tones');
  const tone = toneOf(budget, use.used + use.reserved);
  return <StateChip tone={tone === 'ok' ? 'ok' : tone === 'concise' ? 'warn' : 'error'}>{t(tone)}</StateChip>;
}

function RemoveBudget({ budget, name }: { budget: BudgetView; name: string }) {
  const t = useTranslations('budgets.remove');
  const { tenant } = useMe();
  const router = useRouter();
  return (
    <ConfirmDialog
      trigger={
        <Button look="quiet" size="small" className="text-destructive" aria-label={t('openNamed', { name })}>
          {t('open')}
        </Button>
      }
      title={t('title', { name })}
      description={t('body')}
      confirm={t('confirm')}
      confirming={t('removing')}
      keep={t('keep')}
      onConfirm={() => requestDone(`/api/t/${tenant.slug}/budgets/${budget.id}`, { method: 'DELETE' })}
      onDone={() => router.refresh()}
    />
  );
}
