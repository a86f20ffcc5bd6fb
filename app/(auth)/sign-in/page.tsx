import type { Metadata } from 'next';
import Link from 'next/link';
import { NextIntlClientProvider } from 'next-intl';
import { getMessages, getTranslations } from 'next-intl/server';
import { EntryFrame } from '#components/auth/entry-frame.tsx';
import { SignInForm } from '#components/auth/sign-in-form.tsx';
import { pickMessages } from '#lib/i18n/index.ts';
import { loadEntry } from '../../entry-data.ts';
import { ownPath } from '../../own-path.ts';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('auth.signIn');
  return { title: t('title') };
}

export default async function SignInPage({ searchParams }: { searchParams: Promise<Record<string, string | string[] | undefined>> }) {
  const [{ callback }, t, messages, { welcome }] = await Promise.all([
    searchParams,
    getTranslations('auth.signIn'),
    getMessages(),
    loadEntry(),
  ]);
  return (
    <NextIntlClientProvider messages={pickMessages(messages, ['ui', 'auth'])}>
      <EntryFrame>
        <h1 className="text-page font-semibold">{t('title')}</h1>
        <div className="mt-6">
          <SignInForm callbackPath={ownPath(callback)} />
        </div>
        <div className="mt-8 border-t border-border pt-4 text-ui text-muted-foreground">
          <p>{welcome.canCreate ? t('first') : t('ask')}</p>
          {welcome.canCreate ? null : <p className="mt-2">{t('forgot')}</p>}
          {welcome.canCreate || welcome.canOpenDemo ? (
            <Link href="/welcome" className="mt-2 inline-block text-primary underline underline-offset-2">
              {welcome.canOpenDemo ? t('toDemo') : t('toWelcome')}
            </Link>
          ) : null}
        </div>
      </EntryFrame>
    </NextIntlClientProvider>
  );
}
