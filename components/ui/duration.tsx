'use client';

import { useTranslations } from 'next-intl';
import { durationParts } from './duration-parts.ts';

/** A length of time in the reader's language: 42 ms, 2.1 s, 3 min 05 s. */
export function useDurationText(): (milliseconds: number) => string {
  const t = useTranslations('ui');
  return (milliseconds) => {
    const parts = durationParts(milliseconds);
    if (parts.unit === 'ms') return t('durationMs', { value: parts.value });
    if (parts.unit === 's') return t('durationSeconds', { value: parts.value });
    if (parts.unit === 'min') return t('durationMinutes', { minutes: parts.minutes, seconds: String(parts.seconds).padStart(2, '0') });
    return t('durationHours', { hours: parts.hours, minutes: String(parts.minutes).padStart(2, '0') });
  };
}

export function Duration({ milliseconds }: { milliseconds: number }) {
  const text = useDurationText();
  return <span className="tabular">{text(milliseconds)}</span>;
}
