'use client';

import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { Button } from '#components/ui/button.tsx';

const SHOWN_CHARACTERS = 60;

interface SessionConsentProps {
  values: Readonly<Record<string, unknown>>;
  isSending: boolean;
  /** With the names of the arguments that later calls must have just so. */
  onAllow: (sameArguments: string[]) => void;
  onBack: () => void;
}

/** What is allowed for the rest of a session: calls of this tool, with the arguments that are ticked just as they are here. */
export function SessionConsent({ values, isSending, onAllow, onBack }: SessionConsentProps) {
  const t = useTranslations('approvals');
  // What is a choice or a figure decides where a call goes; a text is mostly another each time.
  const [same, setSame] = useState(() => new Set(Object.keys(values).filter((name) => typeof values[name] !== 'string')));
  const toggle = (name: string) =>
    setSame((before) => new Set(before.has(name) ? [...before].filter((other) => other !== name) : [...before, name]));
  return (
    <fieldset disabled={isSending} className="flex flex-col gap-1.5">
      <legend className="mb-1 text-ui">{t('sessionLead')}</legend>
      {Object.entries(values).map(([name, value]) => {
        const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
        return (
          <label key={name} className="touchable flex min-h-8 items-center gap-2.5 text-ui">
            <input type="checkbox" checked={same.has(name)} onChange={() => toggle(name)} className="size-3.5 shrink-0 accent-primary" />
            <span className="min-w-0 break-words">
              {t('sessionSame', { name, value: text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text })}
            </span>
          </label>
        );
      })}
      <p className="text-meta text-muted-foreground">{t('sessionHint')}</p>
      <div className="mt-1 flex flex-wrap gap-2">
        <Button look="primary" onClick={() => onAllow([...same])}>
          {isSending ? t('sending') : t('allowSessionNow')}
        </Button>
        <Button onClick={onBack}>{t('back')}</Button>
      </div>
    </fieldset>
  );
}
