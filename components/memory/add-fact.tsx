'use client';

import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { type FormEvent, useState } from 'react';
import { FailureNotice } from '#components/api/failure-notice.tsx';
import { type RequestFailure, requestDone, toRequestFailure } from '#components/api/request.ts';
import { useMe } from '#components/shell/me-scope.tsx';
import { Button } from '#components/ui/button.tsx';
import { canKeep, FactField } from './fact-field.tsx';

/** Adds something to remember. What was written stays in the field until the server has it. */
export function AddFact() {
  const t = useTranslations('memory.add');
  const { tenant } = useMe();
  const router = useRouter();
  const [text, setText] = useState('');
  const [isSaving, setIsSaving] = useState(false);
  const [failure, setFailure] = useState<RequestFailure | null>(null);
  const save = async () => {
    if (isSaving || !canKeep(text)) return;
    setIsSaving(true);
    setFailure(null);
    try {
      await requestDone(`/api/t/${tenant.slug}/facts`, { method: 'POST', body: { text: text.trim() } });
      setText('');
      router.refresh();
    } catch (thrown) {
      setFailure(toRequestFailure(thrown));
    } finally {
      setIsSaving(false);
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void save();
  };
  return (
    <form onSubmit={submit} className="mb-6 flex flex-col items-stretch gap-2">
      <FactField label={t('label')} hint={t('hint')} text={text} isDisabled={isSaving} onChange={setText} onSave={() => void save()} />
      {failure ? <FailureNotice failure={failure} /> : null}
      <Button type="submit" look="primary" className="self-start" disabled={isSaving || !canKeep(text)}>
        {isSaving ? t('saving') : t('save')}
      </Button>
    </form>
  );
}
