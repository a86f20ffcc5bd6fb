'use client';

import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { type FormEvent, useState } from 'react';
import { ConfirmDialog } from '#components/api/confirm-dialog.tsx';
import { FailureNotice } from '#components/api/failure-notice.tsx';
import { requestDone } from '#components/api/request.ts';
import { useSending } from '#components/api/use-sending.ts';
import { LOCALE_NAMES } from '#components/theme/locale-names.ts';
import { Button } from '#components/ui/button.tsx';
import { Field } from '#components/ui/field.tsx';
import { Input, Select } from '#components/ui/input.tsx';
import { Section } from '#components/ui/section.tsx';
import { LOCALES } from '#lib/i18n/index.ts';
import type { TenantView } from '#lib/tenancy/contract.ts';

/** What a workspace is called and in which language it greets people. */
export function WorkspaceForm({ tenant }: { tenant: TenantView }) {
  const t = useTranslations('people.general');
  const router = useRouter();
  const { isSending, failure, send } = useSending();
  const [name, setName] = useState(tenant.name);
  const [locale, setLocale] = useState(tenant.defaultLocale ?? '');
  const [isSaved, setIsSaved] = useState(false);
  const isChanged = name.trim() !== tenant.name || locale !== (tenant.defaultLocale ?? '');
  const save = async (event: FormEvent) => {
    event.preventDefault();
    setIsSaved(false);
    const body = { name, defaultLocale: locale || null };
    if (!(await send(() => requestDone(`/api/t/${tenant.slug}/workspace`, { method: 'PATCH', body })))) return;
    setIsSaved(true);
    router.refresh();
  };
  return (
    <Section title={t('identity')}>
      <form className="flex max-w-[32rem] flex-col gap-4" onSubmit={(event) => void save(event)}>
        <Field label={t('name')}>
          {(control) => <Input {...control} required maxLength={80} value={name} onChange={(event) => setName(event.target.value)} />}
        </Field>
        <Field label={t('address')} hint={t('addressHint')}>
          {(control) => <Input {...control} readOnly value={tenant.slug} className="bg-sunken font-mono" />}
        </Field>
        <Field label={t('locale')}>
          {(control) => (
            <Select {...control} value={locale} onChange={(event) => setLocale(event.target.value)}>
              <option value="">{t('browser')}</option>
              {LOCALES.map((known) => (
                <option key={known} value={known} lang={known}>
                  {LOCALE_NAMES[known]}
                </option>
              ))}
            </Select>
          )}
        </Field>
        {failure ? <FailureNotice failure={failure} /> : null}
        <div className="flex items-center gap-3">
          <Button type="submit" look="primary" disabled={isSending || !isChanged}>
            {isSending ? t('saving') : t('save')}
          </Button>
          <span role="status" className="text-ui text-muted-foreground">
            {isSaved && !isChanged ? t('saved') : ''}
          </span>
        </div>
      </form>
    </Section>
  );
}

/** Deletes the workspace once its address has been typed, and goes on to where the removal can be followed. */
export function DeleteWorkspace({ tenant }: { tenant: TenantView }) {
  const t = useTranslations('people.general');
  return (
    <Section title={t('danger')} intro={t('dangerIntro')} isDangerous>
      <ConfirmDialog
        trigger={<Button look="danger">{t('delete.open')}</Button>}
        title={t('delete.title', { tenant: tenant.name })}
        description={t('delete.body')}
        typed={{ text: tenant.slug, label: t('delete.typed') }}
        confirm={t('delete.confirm')}
        confirming={t('delete.busy')}
        keep={t('delete.keep')}
        onConfirm={() => requestDone(`/api/t/${tenant.slug}/workspace?confirm=${encodeURIComponent(tenant.slug)}`, { method: 'DELETE' })}
        onDone={() => window.location.assign('/status/deletions')}
      />
    </Section>
  );
}
