import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { NameForm } from '#components/account/name-form.tsx';
import { PasswordForm } from '#components/account/password-form.tsx';
import { SettingsPage } from '#components/shell/settings-page.tsx';
import { Section } from '#components/ui/section.tsx';
import { loadAccount } from '../account-data.ts';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('account');
  return { title: t('sections.profile') };
}

export default async function ProfilePage() {
  const [account, t] = await Promise.all([loadAccount(), getTranslations('account')]);
  return (
    <SettingsPage title={t('sections.profile')}>
      <div className="flex flex-col gap-6">
        <NameForm name={account.name} />
        <div className="flex flex-col gap-1 text-ui">
          <span className="font-medium">{t('email')}</span>
          <span className="break-all">{account.email}</span>
          <span className="text-meta text-muted-foreground">{t('emailHint')}</span>
        </div>
      </div>
      <Section title={t('password.title')} intro={account.hasPassword ? t('password.body') : t('password.elsewhere')}>
        {account.hasPassword ? <PasswordForm email={account.email} /> : null}
      </Section>
    </SettingsPage>
  );
}
