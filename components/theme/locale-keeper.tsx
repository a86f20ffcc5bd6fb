'use client';

import { useRouter } from 'next/navigation';
import { useLocale } from 'next-intl';
import { useEffect } from 'react';
import type { Locale } from '#lib/i18n/index.ts';
import { keepLocale } from './preferences.ts';

/** Brings a browser to the language of the account that has signed in on it. */
export function LocaleKeeper({ accountLocale }: { accountLocale: Locale | null }) {
  const shown = useLocale();
  const router = useRouter();
  useEffect(() => {
    if (accountLocale === null || accountLocale === shown) return;
    keepLocale(accountLocale);
    router.refresh();
  }, [accountLocale, shown, router]);
  return null;
}
