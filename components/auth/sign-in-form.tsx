'use client';

import { useTranslations } from 'next-intl';
import { type FormEvent, useRef, useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { ErrorState } from '#components/ui/error-state.tsx';
import { Field } from '#components/ui/field.tsx';
import { Input } from '#components/ui/input.tsx';
import { signIn } from './next-auth-client.ts';
import { type SignInProblem, signInProblem } from './sign-in-problem.ts';

/** Email and password. What goes wrong is told without saying which accounts there are. */
export function SignInForm({ callbackPath }: { callbackPath: string }) {
  const t = useTranslations('auth.signIn');
  const [problem, setProblem] = useState<SignInProblem | null>(null);
  const [isSending, setIsSending] = useState(false);
  const password = useRef<HTMLInputElement>(null);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    setIsSending(true);
    setProblem(null);
    const answer = await signIn('password', { email: textOf(form, 'email'), password: textOf(form, 'password') }).catch(() => undefined);
    const found = signInProblem(answer);
    if (found === null) {
      window.location.assign(callbackPath);
      return;
    }
    setProblem(found);
    setIsSending(false);
    if (found === 'wrong') password.current?.select();
  };
  return (
    <form className="flex flex-col gap-4" onSubmit={(event) => void submit(event)}>
      {problem ? <ErrorState cause={t(`problems.${problem}.cause`)} nextStep={t(`problems.${problem}.next`)} /> : null}
      <Field label={t('email')}>
        {(control) => <Input {...control} type="email" name="email" autoComplete="username" required className="h-10" />}
      </Field>
      <Field label={t('password')}>
        {(control) => (
          <Input {...control} ref={password} type="password" name="password" autoComplete="current-password" required className="h-10" />
        )}
      </Field>
      <Button type="submit" look="primary" size="large" disabled={isSending}>
        {isSending ? t('sending') : t('send')}
      </Button>
    </form>
  );
}

function textOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
}
