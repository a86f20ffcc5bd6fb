import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { EndSignIns } from '#components/account/end-sign-ins.tsx';
import { SignInSessions } from '#components/account/sign-in-sessions.tsx';
import { loadSignInSessions } from '../account-data.ts';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('account');
  return { title: t('sections.sessions') };
}

export default async function SessionsPage() {
  const [sessions, t] = await Promise.all([loadSignInSessions(), getTranslations('account')]);
  return (
    <>
      <h1 className="text-page font-semibold">{t('sessions.title')}</h1>
      <p className="mt-1 mb-4 max-w-[68ch] text-ui text-muted-foreground">{t('sessions.body')}</p>
      <SignInSessions sessions={sessions} />
      <EndSignIns hasOthers={sessions.length > 1} />
    </>
  );
}
