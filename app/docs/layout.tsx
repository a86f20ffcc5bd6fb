import Link from 'next/link';
import { NextIntlClientProvider } from 'next-intl';
import { getMessages, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { Mark } from '#components/shell/mark.tsx';
import { LanguageSwitch } from '#components/theme/language-switch.tsx';
import { pickMessages } from '#lib/i18n/index.ts';

/** The reference for people who write programs: open to all, as the description of the API is. */
export default async function DocsLayout({ children }: { children: ReactNode }) {
  const [messages, t] = await Promise.all([getMessages(), getTranslations('docs')]);
  return (
    <NextIntlClientProvider messages={pickMessages(messages, ['ui', 'states', 'auth', 'docs'])}>
      <header className="flex h-12 items-center gap-2.5 border-b border-border bg-sunken px-4">
        <Link href="/" aria-label={t('home')} className="touchable flex items-center">
          <Mark />
        </Link>
        <span className="text-ui font-semibold">{t('title')}</span>
        <span className="ms-auto">
          <LanguageSwitch />
        </span>
      </header>
      <main className="mx-auto w-full max-w-[76rem] px-4 pb-16">{children}</main>
    </NextIntlClientProvider>
  );
}
