import { ArrowLeftIcon } from 'lucide-react';
import Link from 'next/link';
import { NextIntlClientProvider } from 'next-intl';
import { getMessages, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { AccountSections } from '#components/account/account-sections.tsx';
import { AccountTimeZoneKeeper } from '#components/theme/account-time-zone-keeper.tsx';
import { LocaleKeeper } from '#components/theme/locale-keeper.tsx';
import { pickMessages } from '#lib/i18n/index.ts';
import { loadAccount, loadHomePath } from './account-data.ts';

export default async function AccountLayout({ children }: { children: ReactNode }) {
  const [account, homePath, messages, t] = await Promise.all([loadAccount(), loadHomePath(), getMessages(), getTranslations('account')]);
  return (
    <NextIntlClientProvider messages={pickMessages(messages, ['ui', 'states', 'account'])}>
      <LocaleKeeper accountLocale={account.locale} />
      <AccountTimeZoneKeeper accountTimeZone={account.timeZone} />
      <header className="flex h-12 items-center border-b border-border bg-sunken px-4">
        <Link href={homePath} className="touchable flex items-center gap-2 text-ui text-muted-foreground hover:text-foreground">
          <ArrowLeftIcon aria-hidden className="size-4" />
          {t('back')}
        </Link>
        <span className="ms-auto truncate ps-4 text-meta text-muted-foreground">{account.email}</span>
      </header>
      <div className="px-4 pt-1 md:px-8">
        <AccountSections />
      </div>
      <main>{children}</main>
    </NextIntlClientProvider>
  );
}
