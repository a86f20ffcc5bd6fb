'use client';

import { useRouter } from 'next/navigation';
import { useLocale, useTranslations } from 'next-intl';
import { type FormEvent, useState } from 'react';
import { FailureNotice } from '#components/api/failure-notice.tsx';
import { type RequestFailure, requestDone, toRequestFailure } from '#components/api/request.ts';
import { LOCALE_NAMES } from '#components/theme/locale-names.ts';
import { applyTheme, keepLocale } from '#components/theme/preferences.ts';
import { THEMES, type Theme } from '#components/theme/theme.ts';
import { Button } from '#components/ui/button.tsx';
import { Field } from '#components/ui/field.tsx';
import { Input } from '#components/ui/input.tsx';
import { isLocale, LOCALES, type Locale } from '#lib/i18n/index.ts';
import type { AccountView } from '#lib/tenancy/contract.ts';
import { ChoiceRow } from './choice-row.tsx';

/** How a person is called, and how the product looks to them. A choice holds from the moment it is made. */
export function AccountForm({ account, startTheme }: { account: AccountView; startTheme: Theme }) {
  const t = useTranslations('account');
  const themes = useTranslations('account.themes');
  const router = useRouter();
  const shown = useLocale();
  const [name, setName] = useState(account.name);
  const [kept, setKept] = useState(account.name);
  const [theme, setTheme] = useState(startTheme);
  const [isSaving, setIsSaving] = useState(false);
  const [failure, setFailure] = useState<RequestFailure | null>(null);
  const change = async (body: { name?: string; locale?: Locale; theme?: 'light' | 'dark' | null }) => {
    setFailure(null);
    try {
      await requestDone('/api/account', { method: 'PATCH', body });
      return true;
    } catch (thrown) {
      setFailure(toRequestFailure(thrown));
      return false;
    }
  };
  const saveName = async (event: FormEvent) => {
    event.preventDefault();
    setIsSaving(true);
    if (await change({ name: name.trim() })) {
      setKept(name.trim());
      router.refresh();
    }
    setIsSaving(false);
  };
  const chooseLocale = async (locale: Locale) => {
    keepLocale(locale);
    await change({ locale });
    router.refresh();
  };
  const chooseTheme = (next: Theme) => {
    setTheme(next);
    applyTheme(next);
    void change({ theme: next === 'system' ? null : next });
  };
  return (
    <div className="flex flex-col gap-6">
      {failure ? <FailureNotice failure={failure} /> : null}
      <form onSubmit={(event) => void saveName(event)} className="flex items-end gap-2">
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
      </form>
      <div className="flex flex-col gap-1 text-ui">
        <span className="font-medium">{t('email')}</span>
        <span className="text-muted-foreground">{account.email}</span>
      </div>
      <ChoiceRow
        label={t('language')}
        name="language"
        value={shown}
        choices={LOCALES.map((locale) => ({ value: locale, label: LOCALE_NAMES[locale], lang: locale }))}
        onChoose={(value) => {
          if (isLocale(value)) void chooseLocale(value);
        }}
      />
      <ChoiceRow
        label={t('theme')}
        name="theme"
        value={theme}
        choices={THEMES.map((known) => ({ value: known, label: themes(known) }))}
        onChoose={(value) => chooseTheme(THEMES.find((known) => known === value) ?? 'system')}
      />
    </div>
  );
}
