import { ArrowLeftIcon } from 'lucide-react';
import type { Metadata } from 'next';
import { cookies } from 'next/headers';
import Link from 'next/link';
import { NextIntlClientProvider } from 'next-intl';
import { getMessages, getTranslations } from 'next-intl/server';
import { AccountForm } from '#components/account/account-form.tsx';
import { SignInSessions } from '#components/account/sign-in-sessions.tsx';
import { LocaleKeeper } from '#components/theme/locale-keeper.tsx';
import { parseTheme, THEME_COOKIE } from '#components/theme/theme.ts';
import { pickMessages } from '#lib/i18n/index.ts';
import { loadAccount } from './account-data.ts';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('account');
  return { title: t('title') };
}

export default async function AccountPage() {
  const [{ account, sessions, homePath }, messages, t, jar] = await Promise.all([
    loadAccount(),
    getMessages(),
    getTranslations('account'),
    cookies(),
  ]);
  return (
    <NextIntlClientProvider messages={pickMessages(messages, ['ui', 'states', 'account'])}>
      <LocaleKeeper accountLocale={account.locale} />
      <nav className="flex h-12 items-center border-b border-border bg-sunken px-4">
        <Link href={homePath} className="touchable flex items-center gap-2 text-ui text-muted-foreground hover:text-foreground">
          <ArrowLeftIcon aria-hidden className="size-4" />
          {t('back')}
        </Link>
      </nav>
      <main className="mx-auto w-full max-w-[44rem] px-4 pt-8 pb-16">
        <h1 className="text-page font-semibold">{t('title')}</h1>
        <section className="mt-6">
          <AccountForm account={account} startTheme={parseTheme(jar.get(THEME_COOKIE)?.value)} />
        </section>
        <section className="mt-10">
          <h2 className="text-section font-semibold">{t('sessions.title')}</h2>
          <p className="mt-1 mb-4 text-ui text-muted-foreground">{t('sessions.body')}</p>
          <SignInSessions sessions={sessions} />
        </section>
      </main>
    </NextIntlClientProvider>
  );
}
