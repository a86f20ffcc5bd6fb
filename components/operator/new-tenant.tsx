'use client';

import { PlusIcon } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { type FormEvent, useState } from 'react';
import { FailureNotice } from '#components/api/failure-notice.tsx';
import { requestJson } from '#components/api/request.ts';
import { useSending } from '#components/api/use-sending.ts';
import { toSlug } from '#components/auth/slug.ts';
import { MakeDialog } from '#components/tenancy/make-dialog.tsx';
import { Button } from '#components/ui/button.tsx';
import { Field } from '#components/ui/field.tsx';
import { Input } from '#components/ui/input.tsx';
import { createTenantResult } from '#lib/tenancy/contract.ts';

/** Makes a workspace for somebody else, and shows the link by which its owner comes in. */
export function NewTenant() {
  const t = useTranslations('operator.tenants');
  return (
    <MakeDialog
      trigger={
        <Button>
          <PlusIcon aria-hidden />
          {t('add')}
        </Button>
      }
      words={{
        new: { title: t('new.title'), body: t('new.body') },
        made: { title: t('made.title'), body: t('made.body') },
        copy: t('made.copy'),
        done: t('made.done'),
      }}
      renderForm={(onMade) => <NewTenantForm onMade={onMade} />}
    />
  );
}

function NewTenantForm({ onMade }: { onMade: (url: string) => void }) {
  const t = useTranslations('operator.tenants.new');
  const { isSending, failure, send } = useSending();
  const [name, setName] = useState('');
  const [slug, setSlug] = useState<string | null>(null);
  const shownSlug = slug ?? toSlug(name);
  const isTaken = failure?.code === 'slug_taken';
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    await send(async () => {
      const body = { name, slug: shownSlug };
      onMade((await requestJson('/api/operator/tenants', createTenantResult, { method: 'POST', body })).url);
    });
  };
  return (
    <form className="flex flex-col gap-4" onSubmit={(event) => void submit(event)}>
      <Field label={t('name')}>
        {(control) => <Input {...control} required maxLength={80} value={name} onChange={(event) => setName(event.target.value)} />}
      </Field>
      <Field label={t('slug')} hint={t('slugRule')} problem={isTaken ? t('taken') : undefined}>
        {(control) => (
          <Input
            {...control}
            required
            maxLength={40}
            pattern="[a-z0-9]([a-z0-9\-]{0,38}[a-z0-9])?"
            title={t('slugRule')}
            autoComplete="off"
            spellCheck={false}
            className="font-mono"
            value={shownSlug}
            onChange={(event) => setSlug(event.target.value || null)}
          />
        )}
      </Field>
      {failure && !isTaken ? <FailureNotice failure={failure} /> : null}
      <Button type="submit" look="primary" disabled={isSending} className="self-end">
        {isSending ? t('saving') : t('save')}
      </Button>
    </form>
  );
}
