import type { Metadata } from 'next';
import { cookies } from 'next/headers';
import { getTranslations } from 'next-intl/server';
import { AppearanceForm } from '#components/account/appearance-form.tsx';
import { SettingsPage } from '#components/shell/settings-page.tsx';
import { parseTheme, THEME_COOKIE } from '#components/theme/theme.ts';
import { loadAccount } from '../account-data.ts';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('account');
  return { title: t('sections.appearance') };
}

export default async function AppearancePage() {
  const [account, jar, t] = await Promise.all([loadAccount(), cookies(), getTranslations('account')]);
  return (
    <SettingsPage title={t('sections.appearance')} intro={t('appearanceBody')}>
      <AppearanceForm
        startTheme={parseTheme(jar.get(THEME_COOKIE)?.value)}
        timeZone={account.timeZone}
        // From the server: two engines may know different names, and the page must be the same in both.
        timeZones={Intl.supportedValuesOf('timeZone')}
      />
    </SettingsPage>
  );
}
