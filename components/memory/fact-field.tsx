'use client';

import { useTranslations } from 'next-intl';
import { type ReactNode, useEffect, useRef } from 'react';
import { Field } from '#components/ui/field.tsx';
import { useFieldKeys } from '#components/ui/field-keys.ts';
import { Textarea } from '#components/ui/input.tsx';

/** Characters a fact may have. */
export const FACT_LENGTH = 2000;

interface FactFieldProps {
  label: string;
  hint?: ReactNode;
  text: string;
  isDisabled: boolean;
  onChange: (text: string) => void;
  onSave: () => void;
  onLeave?: () => void;
  /** Takes the focus as it appears: it opens where its button was pressed. */
  startsFocused?: boolean;
}

/** The text of a fact. Enter saves it, Shift+Enter is a new line, Escape leaves. */
export function FactField({ label, hint, text, isDisabled, onChange, onSave, onLeave, startsFocused = false }: FactFieldProps) {
  const t = useTranslations('memory');
  const keys = useFieldKeys({ onEnter: onSave, ...(onLeave ? { onEscape: onLeave } : {}) });
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (startsFocused) field.current?.focus();
  }, [startsFocused]);
  const over = text.trim().length - FACT_LENGTH;
  return (
    <Field label={label} hint={hint} problem={over > 0 ? t('tooLong', { over }) : null}>
      {(control) => (
        <Textarea
          {...control}
          {...keys}
          rows={2}
          value={text}
          disabled={isDisabled}
          ref={field}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}

/** Whether a text can be kept as a fact. */
export function canKeep(text: string): boolean {
  const { length } = text.trim();
  return length > 0 && length <= FACT_LENGTH;
}
