'use client';

import { useRouter } from 'next/navigation';
import { useLocale, useTranslations } from 'next-intl';
import { joinClasses } from '#components/ui/join-classes.ts';
import { LOCALES } from '#lib/i18n/index.ts';
import { LOCALE_NAMES } from './locale-names.ts';
import { keepLocale } from './preferences.ts';

/** Switches the language before anybody has signed in. */
export function LanguageSwitch() {
  const t = useTranslations('ui');
  const shown = useLocale();
  const router = useRouter();
  return (
    <div role="group" aria-label={t('language')} className="flex items-center gap-1">
      {LOCALES.map((locale) => (
        <button
          key={locale}
          type="button"
          lang={locale}
          aria-pressed={locale === shown}
          onClick={() => {
            keepLocale(locale);
            router.refresh();
          }}
          className={joinClasses(
            'touchable rounded-control px-2 py-1 text-meta',
            locale === shown ? 'font-medium text-foreground' : 'text-muted-foreground hover:text-foreground',
          )}
        >
          {LOCALE_NAMES[locale]}
        </button>
      ))}
    </div>
  );
}
