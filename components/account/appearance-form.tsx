'use client';

import { useRouter } from 'next/navigation';
import { useLocale, useTranslations } from 'next-intl';
import { useState } from 'react';
import { FailureNotice } from '#components/api/failure-notice.tsx';
import { LOCALE_NAMES } from '#components/theme/locale-names.ts';
import { applyTheme, chooseTimeZone, keepLocale } from '#components/theme/preferences.ts';
import { THEMES, type Theme } from '#components/theme/theme.ts';
import { Field } from '#components/ui/field.tsx';
import { Select } from '#components/ui/input.tsx';
import { isLocale, LOCALES, type Locale } from '#lib/i18n/index.ts';
import { ChoiceRow } from './choice-row.tsx';
import { useAccountChange } from './use-account-change.ts';

interface AppearanceFormProps {
  startTheme: Theme;
  /** null: that of the device. */
  timeZone: string | null;
  timeZones: readonly string[];
}

/** How the product looks to a person. A choice holds from the moment it is made. */
export function AppearanceForm({ startTheme, timeZone: startTimeZone, timeZones }: AppearanceFormProps) {
  const t = useTranslations('account');
  const themes = useTranslations('account.themes');
  const router = useRouter();
  const shown = useLocale();
  const { change, failure } = useAccountChange();
  const [theme, setTheme] = useState(startTheme);
  const [timeZone, setTimeZone] = useState(startTimeZone ?? '');
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
  const chooseZone = async (next: string) => {
    setTimeZone(next);
    if (!(await change({ timeZone: next === '' ? null : next }))) return setTimeZone(timeZone);
    chooseTimeZone(next === '' ? null : next);
    router.refresh();
  };
  const isListed = timeZone === '' || timeZones.includes(timeZone);
  return (
    <div className="flex flex-col gap-6">
      {failure ? <FailureNotice failure={failure} /> : null}
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
      <Field label={t('timeZone')} hint={t('timeZoneHint')} className="max-w-80">
        {(control) => (
          <Select {...control} value={timeZone} onChange={(event) => void chooseZone(event.target.value)}>
            <option value="">{themes('system')}</option>
            {isListed ? null : <option value={timeZone}>{timeZone}</option>}
            {timeZones.map((name) => (
              <option key={name} value={name}>
                {name.replaceAll('_', ' ')}
              </option>
            ))}
          </Select>
        )}
      </Field>
    </div>
  );
}
