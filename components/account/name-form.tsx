'use client';

import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { type FormEvent, useState } from 'react';
import { FailureNotice } from '#components/api/failure-notice.tsx';
import { Button } from '#components/ui/button.tsx';
import { Field } from '#components/ui/field.tsx';
import { Input } from '#components/ui/input.tsx';
import { useAccountChange } from './use-account-change.ts';

/** How a person is called. */
export function NameForm({ name: startName }: { name: string }) {
  const t = useTranslations('account');
  const router = useRouter();
  const { change, failure } = useAccountChange();
  const [name, setName] = useState(startName);
  const [kept, setKept] = useState(startName);
  const [isSaving, setIsSaving] = useState(false);
  const save = async (event: FormEvent) => {
    event.preventDefault();
    setIsSaving(true);
    if (await change({ name: name.trim() })) {
      setKept(name.trim());
      router.refresh();
    }
    setIsSaving(false);
  };
  return (
    <form onSubmit={(event) => void save(event)} className="flex flex-col gap-3">
      {failure ? <FailureNotice failure={failure} /> : null}
      <div className="flex items-end gap-2">
        <Field label={t('name')} className="max-w-80 flex-1">
          {(control) => (
            <Input
              {...control}
              value={name}
              onChange={(event) => setName(event.target.value)}
              required
              maxLength={80}
              autoComplete="name"
            />
          )}
        </Field>
        <Button type="submit" disabled={isSaving || name.trim() === '' || name.trim() === kept}>
          {isSaving ? t('saving') : t('save')}
        </Button>
      </div>
    </form>
  );
}
