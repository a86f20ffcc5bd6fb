import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { NewBudget } from '#components/budgets/budget-dialogs.tsx';
import { BudgetList } from '#components/budgets/budget-list.tsx';
import { Denied } from '#components/shell/denied.tsx';
import { SettingsPage } from '#components/shell/settings-page.tsx';
import { EmptyState } from '#components/ui/empty-state.tsx';
import { loadActorNames, loadBudgets, loadShell } from '../../page-data.ts';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('budgets');
  return { title: t('title') };
}

export default async function BudgetsPage({ params }: { params: Promise<{ tenant: string }> }) {
  const { tenant } = await params;
  const [me, budgets, people, t] = await Promise.all([
    loadShell(tenant),
    loadBudgets(tenant),
    loadActorNames(tenant),
    getTranslations('budgets'),
  ]);
  if (!budgets.isAllowed) return <Denied permission={budgets.permission} />;
  const canManage = me.permissions.includes('budget:manage');
  const isEmpty = budgets.value.length === 0;
  return (
    <SettingsPage
      title={t('title')}
      intro={t('intro')}
      action={canManage && !isEmpty ? <NewBudget people={people} look="outline" /> : null}
      isWide
    >
      {isEmpty ? (
        <EmptyState title={t('none')} example={t('example')} action={canManage ? <NewBudget people={people} look="primary" /> : null}>
          {t('noneBody')}
        </EmptyState>
      ) : (
        <BudgetList budgets={budgets.value} people={people} canManage={canManage} />
      )}
    </SettingsPage>
  );
}
