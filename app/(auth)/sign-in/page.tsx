import type { Metadata } from 'next';
import Link from 'next/link';
import { NextIntlClientProvider } from 'next-intl';
import { getMessages, getTranslations } from 'next-intl/server';
import { EntryFrame } from '#components/auth/entry-frame.tsx';
import { ProviderButton } from '#components/auth/provider-button.tsx';
import { toProviderProblem } from '#components/auth/provider-problem.ts';
import { SignInForm } from '#components/auth/sign-in-form.tsx';
import { ErrorState } from '#components/ui/error-state.tsx';
import { application } from '#lib/composition/index.ts';
import { pickMessages } from '#lib/i18n/index.ts';
import { loadEntry } from '../../entry-data.ts';
import { ownPath } from '../../own-path.ts';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('auth.signIn');
  return { title: t('title') };
}

export default async function SignInPage({ searchParams }: { searchParams: Promise<Record<string, string | string[] | undefined>> }) {
  const [{ callback, problem: reason }, t, messages, { welcome }] = await Promise.all([
    searchParams,
    getTranslations('auth'),
    getMessages(),
    loadEntry(),
  ]);
  const provider = application().signInProvider;
  const problem = toProviderProblem(reason);
  return (
    <NextIntlClientProvider messages={pickMessages(messages, ['ui', 'auth'])}>
      <EntryFrame>
        <h1 className="text-page font-semibold">{t('signIn.title')}</h1>
        <div className="mt-6 flex flex-col gap-6">
          {problem ? (
            <ErrorState cause={t(`provider.problems.${problem}.cause`)} nextStep={t(`provider.problems.${problem}.next`)} />
          ) : null}
          {provider ? (
            <>
              <ProviderButton label={provider.label} callbackPath={ownPath(callback)} />
              <p className="flex items-center gap-3 text-meta text-muted-foreground before:h-px before:flex-1 before:bg-border after:h-px after:flex-1 after:bg-border">
                {t('provider.or')}
              </p>
            </>
          ) : null}
          <SignInForm callbackPath={ownPath(callback)} />
        </div>
        <div className="mt-8 border-t border-border pt-4 text-ui text-muted-foreground">
          <p>{welcome.canCreate ? t('signIn.first') : t('signIn.ask')}</p>
          {welcome.canCreate ? null : <p className="mt-2">{t('signIn.forgot')}</p>}
          {welcome.canCreate || welcome.canOpenDemo ? (
            <Link href="/welcome" className="mt-2 inline-block text-primary underline underline-offset-2">
              {welcome.canOpenDemo ? t('signIn.toDemo') : t('signIn.toWelcome')}
            </Link>
          ) : null}
        </div>
      </EntryFrame>
    </NextIntlClientProvider>
  );
}
