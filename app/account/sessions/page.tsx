import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { EndSignIns } from '#components/account/end-sign-ins.tsx';
import { OwnPrograms } from '#components/account/own-programs.tsx';
import { SignInSessions } from '#components/account/sign-in-sessions.tsx';
import { SettingsPage } from '#components/shell/settings-page.tsx';
import { Section } from '#components/ui/section.tsx';
import { loadPrograms, loadSignInSessions } from '../account-data.ts';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('account');
  return { title: t('sections.sessions') };
}

export default async function SessionsPage() {
  const [sessions, programs, t] = await Promise.all([loadSignInSessions(), loadPrograms(), getTranslations('account')]);
  return (
    <SettingsPage title={t('sessions.title')} intro={t('sessions.body')}>
      <div>
        <SignInSessions sessions={sessions} />
        <EndSignIns hasOthers={sessions.length > 1} />
      </div>
      <Section title={t('programs.title')} intro={t('programs.body')}>
        <OwnPrograms programs={programs} />
      </Section>
    </SettingsPage>
  );
}
