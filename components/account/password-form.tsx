'use client';

import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { type FormEvent, useRef, useState } from 'react';
import { FailureNotice } from '#components/api/failure-notice.tsx';
import { type RequestFailure, requestDone, toRequestFailure } from '#components/api/request.ts';
import { Button } from '#components/ui/button.tsx';
import { Field } from '#components/ui/field.tsx';
import { Input } from '#components/ui/input.tsx';

/** Another password, for who knows the present one. `email` is there for password managers. */
export function PasswordForm({ email }: { email: string }) {
  const t = useTranslations('account.password');
  const router = useRouter();
  const form = useRef<HTMLFormElement>(null);
  const current = useRef<HTMLInputElement>(null);
  const [phase, setPhase] = useState<'idle' | 'sending' | 'done'>('idle');
  const [failure, setFailure] = useState<RequestFailure | null>(null);
  const isWrong = failure?.code === 'invalid_credentials';
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const given = new FormData(event.currentTarget);
    setPhase('sending');
    setFailure(null);
    try {
      const body = { currentPassword: given.get('currentPassword'), newPassword: given.get('newPassword') };
      await requestDone('/api/account/password', { method: 'POST', body });
      form.current?.reset();
      setPhase('done');
      router.refresh();
    } catch (thrown) {
      setFailure(toRequestFailure(thrown));
      setPhase('idle');
      current.current?.select();
    }
  };
  return (
    <form ref={form} className="flex max-w-80 flex-col items-start gap-4 [&>*]:w-full" onSubmit={(event) => void submit(event)}>
      {failure && !isWrong ? <FailureNotice failure={failure} /> : null}
      <input type="email" name="email" value={email} autoComplete="username" readOnly hidden />
      <Field label={t('current')} problem={isWrong ? t('wrong') : undefined}>
        {(control) => <Input {...control} ref={current} type="password" name="currentPassword" autoComplete="current-password" required />}
      </Field>
      <Field label={t('new')} hint={t('hint')}>
        {(control) => (
          <Input {...control} type="password" name="newPassword" autoComplete="new-password" required minLength={12} maxLength={200} />
        )}
      </Field>
      <div className="flex items-center gap-3">
        <Button type="submit" disabled={phase === 'sending'}>
          {phase === 'sending' ? t('changing') : t('change')}
        </Button>
        <p role="status" className="text-ui text-muted-foreground">
          {phase === 'done' ? t('done') : ''}
        </p>
      </div>
    </form>
  );
}
