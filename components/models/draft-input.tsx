'use client';

import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { Field } from '#components/ui/field.tsx';
import { Input, Select } from '#components/ui/input.tsx';
import { joinClasses } from '#components/ui/join-classes.ts';
import type { ModelProviderView } from '#lib/models/contract.ts';
import type { DraftProblem } from './provider-draft.ts';

interface DraftInputProps {
  label: string;
  hint?: ReactNode;
  value: string;
  problem: DraftProblem | undefined;
  onChange: (value: string) => void;
  inputMode?: 'decimal' | 'url';
  /** Set in the type of code: addresses and identifiers. */
  isCode?: boolean;
  isSecret?: boolean;
  isDisabled?: boolean;
}

/** One text of the provider form with its hint and what is wrong with it. */
export function DraftInput({
  label,
  hint,
  value,
  problem,
  onChange,
  inputMode,
  isCode = false,
  isSecret = false,
  isDisabled = false,
}: DraftInputProps) {
  const problemText = useProblemText();
  return (
    <Field label={label} hint={hint} problem={problem ? problemText(problem) : null}>
      {(control) => (
        <Input
          {...control}
          type={isSecret ? 'password' : 'text'}
          // A password manager must neither fill a key in nor keep it.
          autoComplete={isSecret ? 'new-password' : 'off'}
          autoCapitalize="off"
          spellCheck={false}
          {...(inputMode ? { inputMode } : {})}
          disabled={isDisabled}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          className={joinClasses((isCode || isSecret) && 'font-mono', inputMode === 'decimal' && 'tabular')}
        />
      )}
    </Field>
  );
}

type Kind = ModelProviderView['kind'];

interface DraftSelectProps {
  label: string;
  hint: ReactNode;
  value: Kind;
  kinds: readonly Kind[];
  isDisabled: boolean;
  onChange: (kind: Kind) => void;
}

/** What a provider speaks. */
export function DraftSelect({ label, hint, value, kinds, isDisabled, onChange }: DraftSelectProps) {
  const t = useTranslations('models.kinds');
  return (
    <Field label={label} hint={hint}>
      {(control) => (
        <Select
          {...control}
          value={value}
          disabled={isDisabled}
          onChange={(event) => onChange(kinds.find((kind) => kind === event.target.value) ?? value)}
        >
          {kinds.map((kind) => (
            <option key={kind} value={kind}>
              {t(kind)}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}

function useProblemText(): (problem: DraftProblem) => string {
  const t = useTranslations('models.problems');
  return (problem) => {
    if (problem.key === 'range') return t('range', { min: problem.min, max: problem.max });
    if (problem.key === 'refused') return t('refused', { message: problem.message });
    return t(problem.key);
  };
}
