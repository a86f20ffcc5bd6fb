'use client';

import { useTranslations } from 'next-intl';
import { useEffect, useRef, useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Field } from '#components/ui/field.tsx';
import { Textarea } from '#components/ui/input.tsx';

/** A refusal, with what whoever called is told. */
export function DenyForm({ isSending, onDeny, onBack }: { isSending: boolean; onDeny: (note: string) => void; onBack: () => void }) {
  const t = useTranslations('approvals');
  const [note, setNote] = useState('');
  const field = useRef<HTMLTextAreaElement>(null);
  // It took the place of the button that had the focus.
  useEffect(() => field.current?.focus(), []);
  return (
    <form
      className="flex flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        onDeny(note.trim());
      }}
    >
      <Field label={t('why')} hint={t('whyHint')}>
        {(control) => (
          <Textarea {...control} rows={2} maxLength={1000} value={note} onChange={(event) => setNote(event.target.value)} ref={field} />
        )}
      </Field>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" look="danger" disabled={isSending}>
          {isSending ? t('sending') : t('denyNow')}
        </Button>
        <Button onClick={onBack} disabled={isSending}>
          {t('back')}
        </Button>
      </div>
    </form>
  );
}
