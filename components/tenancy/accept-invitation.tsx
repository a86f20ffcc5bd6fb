'use client';

import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { type FormEvent, useState } from 'react';
import { FailureNotice } from '#components/api/failure-notice.tsx';
import { type RequestFailure, requestJson } from '#components/api/request.ts';
import { useSending } from '#components/api/use-sending.ts';
import { signIn, signOut } from '#components/auth/next-auth-client.ts';
import { PersonFields } from '#components/auth/person-fields.tsx';
import { Button } from '#components/ui/button.tsx';
import { ErrorState } from '#components/ui/error-state.tsx';
import { acceptInvitationResult } from '#lib/tenancy/contract.ts';

const TOLD = ['email_taken', 'member_exists', 'not_found'] as const;

/** Joins with the account that is signed in, or lets its owner leave first. */
export function JoinAsAccount({ token, email }: { token: string; email: string }) {
  const t = useTranslations('invite.signedIn');
  const { isSending, failure, send } = useSending();
  const [isLeaving, setIsLeaving] = useState(false);
  const join = () =>
    send(async () => {
      const { slug } = await requestJson('/api/invitations/accept', acceptInvitationResult, { method: 'POST', body: { token } });
      window.location.assign(`/${slug}`);
    });
  const leave = async () => {
    setIsLeaving(true);
    await signOut();
    window.location.reload();
  };
  return (
    <div className="flex flex-col gap-4">
      <p className="text-ui">{t('as', { email })}</p>
      {failure ? <Problem failure={failure} /> : null}
      <div className="flex flex-wrap gap-2">
        <Button look="primary" size="large" disabled={isSending} onClick={() => void join()}>
          {isSending ? t('joining') : t('join')}
        </Button>
        <Button look="quiet" size="large" disabled={isLeaving} onClick={() => void leave()}>
          {isLeaving ? t('leaving') : t('other')}
        </Button>
      </div>
    </div>
  );
}

/** Makes an account of one's own and joins with it, or goes by way of signing in. */
export function JoinAsNewcomer({ token }: { token: string }) {
  const t = useTranslations('invite.newcomer');
  const { isSending, failure, send } = useSending();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const text = (name: string) => {
      const value = form.get(name);
      return typeof value === 'string' ? value : '';
    };
    const person = { name: text('name'), email: text('email'), password: text('password') };
    void send(async () => {
      const { slug } = await requestJson('/api/invitations/accept', acceptInvitationResult, { method: 'POST', body: { token, person } });
      const answer = await signIn('password', { email: person.email, password: person.password }).catch(() => undefined);
      window.location.assign(answer?.ok && !answer.error ? `/${slug}` : `/sign-in?callback=/${slug}`);
    });
  };
  return (
    <>
      <h2 className="text-section font-semibold">{t('title')}</h2>
      <form className="mt-4 flex flex-col gap-4" onSubmit={submit}>
        <PersonFields />
        {failure ? <Problem failure={failure} /> : null}
        <Button type="submit" look="primary" size="large" disabled={isSending} className="self-start">
          {isSending ? t('joining') : t('join')}
        </Button>
      </form>
      <p className="mt-8 border-t border-border pt-4 text-ui text-muted-foreground">
        {t('have')}{' '}
        <Link href={`/sign-in?callback=${encodeURIComponent(`/invite/${token}`)}`} className="text-primary underline underline-offset-2">
          {t('signIn')}
        </Link>
      </p>
    </>
  );
}

function Problem({ failure }: { failure: RequestFailure }) {
  const t = useTranslations('invite.problems');
  const told = TOLD.find((code) => code === failure.code);
  if (!told) return <FailureNotice failure={failure} />;
  return <ErrorState cause={t(`${told}.cause`)} nextStep={t(`${told}.next`)} traceId={failure.traceId} />;
}
