import type { Metadata } from 'next';
import { NextIntlClientProvider } from 'next-intl';
import { getMessages, getTranslations } from 'next-intl/server';
import { ShortcutList } from '#components/keyboard/shortcut-list.tsx';
import { SingleKeysSwitch } from '#components/keyboard/single-keys-switch.tsx';
import { SettingsPage } from '#components/shell/settings-page.tsx';
import { pickMessages } from '#lib/i18n/index.ts';
import { loadAccount } from '../account-data.ts';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('keyboard');
  return { title: t('title') };
}

export default async function ShortcutsPage() {
  const [messages, t] = await Promise.all([getMessages(), getTranslations('keyboard'), loadAccount()]);
  return (
    <NextIntlClientProvider messages={pickMessages(messages, ['ui', 'keyboard'])}>
      <SettingsPage title={t('title')} intro={t('intro')}>
        <SingleKeysSwitch />
        <ShortcutList />
      </SettingsPage>
    </NextIntlClientProvider>
  );
}
