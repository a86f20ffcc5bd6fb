'use client';

import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { type FormEvent, useState } from 'react';
import { FailureNotice } from '#components/api/failure-notice.tsx';
import { type RequestFailure, requestDone, toRequestFailure } from '#components/api/request.ts';
import { Button } from '#components/ui/button.tsx';
import { ErrorState } from '#components/ui/error-state.tsx';
import { Field } from '#components/ui/field.tsx';
import { Input } from '#components/ui/input.tsx';

/** Sets a new password by the link that led here. */
export function ResetForm({ token, email }: { token: string; email: string }) {
  const t = useTranslations('auth.reset');
  const [phase, setPhase] = useState<'asking' | 'sending' | 'done'>('asking');
  const [failure, setFailure] = useState<RequestFailure | null>(null);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const password = new FormData(event.currentTarget).get('password');
    setPhase('sending');
    setFailure(null);
    try {
      await requestDone('/api/reset', { method: 'POST', body: { token, password } });
      setPhase('done');
    } catch (thrown) {
      setFailure(toRequestFailure(thrown));
      setPhase('asking');
    }
  };
  if (phase === 'done') {
    return (
      <div role="status" className="flex flex-col items-start gap-3 text-ui">
        <p>{t('done')}</p>
        <Button asChild look="primary" size="large">
          <Link href="/sign-in">{t('toSignIn')}</Link>
        </Button>
      </div>
    );
  }
  return (
    <form className="flex flex-col gap-4" onSubmit={(event) => void submit(event)}>
      {failure?.code === 'not_found' ? (
        <ErrorState cause={t('over.cause')} nextStep={t('over.next')} />
      ) : failure ? (
        <FailureNotice failure={failure} />
      ) : null}
      <Field label={t('email')}>
        {(control) => <Input {...control} type="email" name="email" autoComplete="username" value={email} readOnly className="h-10" />}
      </Field>
      <Field label={t('password')} hint={t('hint')}>
        {(control) => (
          <Input
            {...control}
            type="password"
            name="password"
            autoComplete="new-password"
            required
            minLength={12}
            maxLength={200}
            className="h-10"
          />
        )}
      </Field>
      <Button type="submit" look="primary" size="large" disabled={phase === 'sending'}>
        {phase === 'sending' ? t('sending') : t('send')}
      </Button>
    </form>
  );
}
