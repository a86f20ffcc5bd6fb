'use client';

import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { type FormEvent, type ReactNode, useRef, useState } from 'react';
import { FailureNotice } from '#components/api/failure-notice.tsx';
import { type RequestFailure, requestDone, toRequestFailure } from '#components/api/request.ts';
import { useMe } from '#components/shell/me-scope.tsx';
import { Button } from '#components/ui/button.tsx';
import { Field } from '#components/ui/field.tsx';
import { Input, Select } from '#components/ui/input.tsx';
import type { BudgetView } from '#lib/models/contract.ts';
import { type BudgetDraft, type BudgetProblems, draftOf, type Person, readLimits } from './budget-draft.ts';

const SUBJECTS = ['tenant', 'user', 'session'] as const;
const MEASURES = ['tokens', 'money'] as const;
const PERIODS = ['day', 'month', 'total'] as const;

/** Sets a budget, or changes the limits of one. */
export function BudgetForm({ budget, people, onDone }: { budget: BudgetView | null; people: readonly Person[]; onDone: () => void }) {
  const t = useTranslations('budgets');
  const { tenant } = useMe();
  const router = useRouter();
  const form = useRef<HTMLFormElement>(null);
  const [draft, setDraft] = useState(() => draftOf(budget));
  const [problems, setProblems] = useState<BudgetProblems>({});
  const [isSaving, setIsSaving] = useState(false);
  const [failure, setFailure] = useState<RequestFailure | null>(null);
  const change = (part: Partial<BudgetDraft>) => {
    setDraft({ ...draft, ...part });
    setProblems({});
  };
  const show = (found: BudgetProblems) => {
    setProblems(found);
    requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus());
  };
  const save = async () => {
    const read = readLimits(draft);
    setFailure(null);
    if (!read.ok) {
      show(read.problems);
      return;
    }
    const { limits } = read;
    const path = `/api/t/${tenant.slug}/budgets`;
    const { subject, userId, measure, currency, period } = draft;
    const whole = {
      subject,
      userId: subject === 'user' && userId !== '' ? userId : null,
      measure,
      currency: measure === 'money' ? currency : null,
      period,
      ...limits,
    };
    setIsSaving(true);
    try {
      await (budget
        ? requestDone(`${path}/${budget.id}`, { method: 'PATCH', body: limits })
        : requestDone(path, { method: 'POST', body: whole }));
      router.refresh();
      onDone();
    } catch (thrown) {
      setFailure(toRequestFailure(thrown));
      setIsSaving(false);
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void save();
  };
  const problemOf = (field: keyof BudgetProblems): ReactNode => {
    const found = problems[field];
    return found ? t(`problems.${found}`) : undefined;
  };
  const unit = draft.measure === 'money' ? draft.currency : t('unit');
  return (
    <form ref={form} noValidate onSubmit={submit} className="flex flex-col gap-4">
      {budget ? null : (
        <div className="grid gap-4 sm:grid-cols-2">
          <Pick
            label={t('form.subject')}
            value={draft.subject}
            options={SUBJECTS.map((key) => [key, t(`subjects.${key}`)] as const)}
            onPick={(subject) => change({ subject })}
          />
          {draft.subject === 'user' ? (
            <Pick
              label={t('form.person')}
              value={draft.userId}
              options={[['', t('form.each')] as const, ...people.map(({ value, label }) => [value, label] as const)]}
              onPick={(userId) => change({ userId })}
            />
          ) : null}
          <Pick
            label={t('form.measure')}
            value={draft.measure}
            options={MEASURES.map((key) => [key, t(`measures.${key}`)] as const)}
            onPick={(measure) => change({ measure })}
          />
          {draft.measure === 'money' ? (
            <Field label={t('form.currency')} hint={t('form.currencyHint')} problem={problemOf('currency')}>
              {(control) => (
                <Input
                  {...control}
                  maxLength={3}
                  autoCapitalize="characters"
                  spellCheck={false}
                  value={draft.currency}
                  onChange={(event) => change({ currency: event.target.value.toUpperCase() })}
                />
              )}
            </Field>
          ) : null}
          <Pick
            label={t('form.period')}
            value={draft.period}
            options={PERIODS.map((key) => [key, t(`periods.${key}`)] as const)}
            onPick={(period) => change({ period })}
          />
        </div>
      )}
      <div className="grid items-start gap-4 sm:grid-cols-2">
        {(['softLimit', 'hardLimit'] as const).map((field) => (
          <Field key={field} label={t(`form.${field}`, { unit })} hint={t(`form.${field}Hint`)} problem={problemOf(field)}>
            {(control) => (
              <Input
                {...control}
                inputMode="decimal"
                autoComplete="off"
                className="tabular"
                value={draft[field]}
                onChange={(event) => change({ [field]: event.target.value })}
              />
            )}
          </Field>
        ))}
      </div>
      {failure ? <FailureNotice failure={failure} /> : null}
      <div className="flex justify-end gap-2">
        <Button look="quiet" onClick={onDone} disabled={isSaving}>
          {t('form.leave')}
        </Button>
        <Button type="submit" look="primary" disabled={isSaving}>
          {isSaving ? t('form.saving') : t('form.save')}
        </Button>
      </div>
    </form>
  );
}

/** One of a few values under a label. */
function Pick<Value extends string>({
  label,
  value,
  options,
  onPick,
}: {
  label: string;
  value: Value;
  options: readonly (readonly [value: Value, name: string])[];
  onPick: (value: Value) => void;
}) {
  return (
    <Field label={label}>
      {(control) => (
        <Select
          {...control}
          value={value}
          onChange={(event) => onPick(options.find(([known]) => known === event.target.value)?.[0] ?? value)}
        >
          {options.map(([known, name]) => (
            <option key={known} value={known}>
              {name}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}
