'use client';

import { useTranslations } from 'next-intl';
import { type FormEvent, useState } from 'react';
import { FailureNotice } from '#components/api/failure-notice.tsx';
import { type RequestFailure, requestJson, toRequestFailure } from '#components/api/request.ts';
import { Button } from '#components/ui/button.tsx';
import { Field } from '#components/ui/field.tsx';
import { Input } from '#components/ui/input.tsx';
import { createWorkspaceResult } from '#lib/tenancy/contract.ts';
import { signIn } from './next-auth-client.ts';
import { PersonFields } from './person-fields.tsx';
import { toSlug } from './slug.ts';

interface CreateWorkspaceFormProps {
  needsSetupCode: boolean;
  /** Where the product is reached, shown before the workspace's part of the address. */
  origin: string;
  /** Somebody is signed in already and founds a further workspace. */
  person: { name: string; email: string } | null;
}

/** Makes a workspace with its first person, who becomes its Owner. */
export function CreateWorkspaceForm({ needsSetupCode, origin, person }: CreateWorkspaceFormProps) {
  const t = useTranslations('welcome.create');
  const [slug, setSlug] = useState('');
  const [isSlugOwn, setIsSlugOwn] = useState(false);
  const [isSending, setIsSending] = useState(false);
  const [failure, setFailure] = useState<RequestFailure | null>(null);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const text = (name: string) => {
      const value = form.get(name);
      return typeof value === 'string' ? value : '';
    };
    setIsSending(true);
    setFailure(null);
    try {
      const body = {
        name: text('workspace'),
        slug: text('slug'),
        person: { name: text('name'), email: text('email'), password: text('password') },
        ...(needsSetupCode ? { setupCode: text('setupCode').trim() } : {}),
      };
      const created = await requestJson('/api/welcome', createWorkspaceResult, { method: 'POST', body });
      const answer = await signIn('password', { email: body.person.email, password: body.person.password }).catch(() => undefined);
      window.location.assign(answer?.ok && !answer.error ? `/${created.slug}/chat` : `/sign-in?callback=/${created.slug}`);
    } catch (thrown) {
      setFailure(toRequestFailure(thrown));
      setIsSending(false);
    }
  };
  const problemOf = (field: 'slug' | 'setupCode') => {
    if (field === 'slug' && failure?.code === 'slug_taken') return t('slugTaken');
    if (field === 'setupCode' && failure?.code === 'invalid_setup_code') return t('setupCodeWrong');
    return undefined;
  };
  const isToldAtField = failure?.code === 'slug_taken' || failure?.code === 'invalid_setup_code';
  return (
    <form className="flex flex-col gap-4" onSubmit={(event) => void submit(event)}>
      {needsSetupCode ? (
        <Field label={t('setupCode')} hint={t('setupCodeHint')} problem={problemOf('setupCode')}>
          {(control) => <Input {...control} name="setupCode" required autoComplete="off" className="h-10 font-mono" />}
        </Field>
      ) : null}
      <Field label={t('workspace')}>
        {(control) => (
          <Input
            {...control}
            name="workspace"
            required
            maxLength={80}
            autoComplete="organization"
            className="h-10"
            onChange={(event) => {
              if (!isSlugOwn) setSlug(toSlug(event.target.value));
            }}
          />
        )}
      </Field>
      <Field label={t('slug')} hint={t('slugHint', { address: `${origin}/${slug || t('slugExample')}` })} problem={problemOf('slug')}>
        {(control) => (
          <Input
            {...control}
            name="slug"
            required
            maxLength={40}
            pattern="[a-z0-9]([a-z0-9\-]{0,38}[a-z0-9])?"
            title={t('slugRule')}
            autoComplete="off"
            spellCheck={false}
            className="h-10 font-mono"
            value={slug}
            onChange={(event) => {
              setIsSlugOwn(event.target.value !== '');
              setSlug(event.target.value);
            }}
          />
        )}
      </Field>
      <PersonFields person={person} />
      {failure && !isToldAtField ? <FailureNotice failure={failure} /> : null}
      <Button type="submit" size="large" disabled={isSending} className="self-start">
        {isSending ? t('sending') : t('send')}
      </Button>
    </form>
  );
}
