import type { Metadata } from 'next';
import Link from 'next/link';
import { NextIntlClientProvider } from 'next-intl';
import { getMessages, getTranslations } from 'next-intl/server';
import { CreateWorkspaceForm } from '#components/auth/create-workspace-form.tsx';
import { EntryFrame } from '#components/auth/entry-frame.tsx';
import { OpenDemoButton } from '#components/auth/open-demo-button.tsx';
import { Badge } from '#components/ui/state-chip.tsx';
import { StateGlyph } from '#components/ui/state-glyph.tsx';
import { pickMessages } from '#lib/i18n/index.ts';
import { loadEntry } from '../entry-data.ts';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('welcome');
  return { title: t('title') };
}

export default async function WelcomePage() {
  const [t, messages, { welcome, account, origin }] = await Promise.all([getTranslations('welcome'), getMessages(), loadEntry()]);
  const hasNothing = !welcome.canCreate && !welcome.canOpenDemo;
  return (
    <NextIntlClientProvider messages={pickMessages(messages, ['ui', 'states', 'auth', 'welcome'])}>
      <EntryFrame>
        <h1 className="text-page font-semibold">{t('title')}</h1>
        <p className="mt-1 max-w-[48ch] text-chat text-muted-foreground">{t('lead')}</p>
        <div className="mt-3">
          <Badge>
            <StateGlyph tone="idle" />
            {t('planner')}
          </Badge>
        </div>
        {welcome.canOpenDemo && welcome.demoSlug ? (
          <section className="mt-6 border-t border-border pt-5">
            <h2 className="text-section font-semibold">{t('demo.title')}</h2>
            <p className="mt-1 mb-4 text-ui text-muted-foreground">{t('demo.body')}</p>
            <OpenDemoButton slug={welcome.demoSlug} />
          </section>
        ) : null}
        {welcome.canCreate ? (
          <section className="mt-6 border-t border-border pt-5">
            <details open={!welcome.canOpenDemo} className="group">
              <summary className="touchable flex list-none items-center gap-2 text-section font-semibold [&::-webkit-details-marker]:hidden">
                <span aria-hidden className="text-muted-foreground group-open:rotate-90">
                  {'›'}
                </span>
                {t('create.title')}
              </summary>
              <p className="mt-1 mb-4 text-ui text-muted-foreground">{t('create.body')}</p>
              <CreateWorkspaceForm needsSetupCode={welcome.needsSetupCode} origin={origin} person={account} />
            </details>
          </section>
        ) : null}
        {hasNothing ? <p className="mt-6 border-t border-border pt-5 text-ui">{account ? t('noWorkspace') : t('nothing')}</p> : null}
        {account ? null : (
          <p className="mt-8 text-ui text-muted-foreground">
            {t('haveAccount')}{' '}
            <Link href="/sign-in" className="text-primary underline underline-offset-2">
              {t('signIn')}
            </Link>
          </p>
        )}
      </EntryFrame>
    </NextIntlClientProvider>
  );
}
