import type { Metadata } from 'next';
import Link from 'next/link';
import { NextIntlClientProvider } from 'next-intl';
import { getMessages, getTranslations } from 'next-intl/server';
import { EntryFrame } from '#components/auth/entry-frame.tsx';
import { ResetForm } from '#components/auth/reset-form.tsx';
import { ErrorState } from '#components/ui/error-state.tsx';
import { application } from '#lib/composition/index.ts';
import { pickMessages } from '#lib/i18n/index.ts';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('auth.reset');
  return { title: t('title') };
}

export default async function ResetPage({ params }: { params: Promise<{ token: string }> }) {
  const { token } = await params;
  const [reset, t, messages] = await Promise.all([application().findPasswordReset(token), getTranslations('auth.reset'), getMessages()]);
  return (
    <NextIntlClientProvider messages={pickMessages(messages, ['ui', 'auth', 'states'])}>
      <EntryFrame>
        <h1 className="text-page font-semibold">{t('title')}</h1>
        <div className="mt-6">
          {reset ? (
            <ResetForm token={token} email={reset.email} />
          ) : (
            <ErrorState
              isAlert={false}
              cause={t('over.cause')}
              nextStep={t('over.next')}
              action={
                <Link href="/sign-in" className="text-ui text-primary underline underline-offset-2">
                  {t('toSignIn')}
                </Link>
              }
            />
          )}
        </div>
      </EntryFrame>
    </NextIntlClientProvider>
  );
}
