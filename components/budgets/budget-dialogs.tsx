'use client';

import { useTranslations } from 'next-intl';
import { type ReactElement, useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Dialog, DialogPanel, DialogTrigger } from '#components/ui/dialog.tsx';
import type { BudgetView } from '#lib/models/contract.ts';
import type { Person } from './budget-draft.ts';
import { BudgetForm } from './budget-form.tsx';
import { useBudgetName } from './use-budget-name.ts';

export function NewBudget({ people, look }: { people: readonly Person[]; look: 'primary' | 'outline' }) {
  const t = useTranslations('budgets.new');
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Dialog open={isOpen} onOpenChange={setIsOpen}>
      <DialogTrigger asChild>
        <Button look={look}>{t('open')}</Button>
      </DialogTrigger>
      <DialogPanel title={t('title')} description={t('body')}>
        <BudgetForm budget={null} people={people} onDone={() => setIsOpen(false)} />
      </DialogPanel>
    </Dialog>
  );
}

/** What it is for stays: another purpose is another budget. */
export function EditBudget({ budget, people, trigger }: { budget: BudgetView; people: readonly Person[]; trigger: ReactElement }) {
  const t = useTranslations('budgets');
  const name = useBudgetName()(budget);
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Dialog open={isOpen} onOpenChange={setIsOpen}>
      <DialogTrigger asChild>{trigger}</DialogTrigger>
      <DialogPanel title={name} description={t('editBody')}>
        <BudgetForm budget={budget} people={people} onDone={() => setIsOpen(false)} />
      </DialogPanel>
    </Dialog>
  );
}
