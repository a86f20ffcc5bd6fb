'use client';

import { CheckIcon, CopyIcon } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useEffect, useState } from 'react';
import { Button, type ButtonProps } from './button.tsx';

const CONFIRMED_MS = 2000;

type CopyButtonProps = Omit<ButtonProps, 'onClick' | 'children' | 'value'> & {
  /** What is copied; a function is asked when the button is pressed. */
  value: string | (() => string);
  /** What the button is for, when "Copy" alone would not say. */
  label?: string;
  /** Shows the label beside the icon. */
  isLabelled?: boolean;
};

/** Copies text and says so in its own place. */
export function CopyButton({ value, label, isLabelled = false, look = 'quiet', size, ...rest }: CopyButtonProps) {
  const t = useTranslations('ui');
  const [outcome, setOutcome] = useState<'none' | 'copied' | 'refused'>('none');
  useEffect(() => {
    if (outcome === 'none') return undefined;
    const timer = setTimeout(() => setOutcome('none'), CONFIRMED_MS);
    return () => clearTimeout(timer);
  }, [outcome]);
  const name = outcome === 'copied' ? t('copied') : outcome === 'refused' ? t('copyRefused') : (label ?? t('copy'));
  const copy = () => {
    navigator.clipboard.writeText(typeof value === 'string' ? value : value()).then(
      () => setOutcome('copied'),
      () => setOutcome('refused'),
    );
  };
  return (
    <Button
      look={look}
      size={size ?? (isLabelled ? 'small' : 'squareSmall')}
      onClick={copy}
      aria-label={isLabelled ? undefined : name}
      title={isLabelled ? undefined : name}
      {...rest}
    >
      {outcome === 'copied' ? <CheckIcon aria-hidden /> : <CopyIcon aria-hidden />}
      {isLabelled ? <span aria-live="polite">{name}</span> : null}
    </Button>
  );
}
