import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { NameForm } from '#components/account/name-form.tsx';
import { PasswordForm } from '#components/account/password-form.tsx';
import { loadAccount } from '../account-data.ts';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('account');
  return { title: t('sections.profile') };
}

export default async function ProfilePage() {
  const [account, t] = await Promise.all([loadAccount(), getTranslations('account')]);
  return (
    <>
      <h1 className="text-page font-semibold">{t('sections.profile')}</h1>
      <div className="mt-6 flex flex-col gap-6">
        <NameForm name={account.name} />
        <div className="flex flex-col gap-1 text-ui">
          <span className="font-medium">{t('email')}</span>
          <span className="break-all">{account.email}</span>
          <span className="text-meta text-muted-foreground">{t('emailHint')}</span>
        </div>
      </div>
      <section aria-labelledby="password" className="mt-10 border-t border-border pt-5">
        <h2 id="password" className="text-section font-semibold">
          {t('password.title')}
        </h2>
        <p className="mt-1 mb-4 max-w-[68ch] text-ui text-muted-foreground">
          {account.hasPassword ? t('password.body') : t('password.elsewhere')}
        </p>
        {account.hasPassword ? <PasswordForm email={account.email} /> : null}
      </section>
    </>
  );
}
