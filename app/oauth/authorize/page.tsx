import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { NextIntlClientProvider } from 'next-intl';
import { getMessages, getTranslations } from 'next-intl/server';
import { EntryFrame } from '#components/auth/entry-frame.tsx';
import { AllowProgram } from '#components/oauth/allow-program.tsx';
import { buttonClasses } from '#components/ui/button.tsx';
import { currentAccount } from '#lib/auth/index.ts';
import { application } from '#lib/composition/index.ts';
import { pickMessages } from '#lib/i18n/index.ts';
import { authorizationRequest } from '#lib/oauth/contract.ts';
import { redirectWith } from '#lib/oauth/index.ts';

type Search = Record<string, string | string[] | undefined>;

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('programs');
  return { title: t('allow'), robots: { index: false, follow: false } };
}

/** Where a program sends a person, to be let in to their workspace (RFC 6749 section 4.1.1). */
export default async function AuthorizePage({ searchParams }: { searchParams: Promise<Search> }) {
  const search = await searchParams;
  const request = authorizationRequest.safeParse(search);
  const asked = request.success ? await application().readProgramAuthorization(request.data) : ({ status: 'unknown' } as const);
  if (asked.status === 'refused') redirect(asked.redirectTo);
  const [t, messages, account] = await Promise.all([getTranslations('programs'), getMessages(), currentAccount()]);
  if (asked.status === 'unknown' || !request.success) {
    return (
      <EntryFrame>
        <h1 className="text-page font-semibold">{t('unknown.title')}</h1>
        <p className="mt-2 max-w-[52ch] text-chat">{t('unknown.body')}</p>
        <p className="mt-1 text-chat text-muted-foreground">{t('unknown.next')}</p>
      </EntryFrame>
    );
  }
  if (!account) redirect(`/sign-in?callback=${encodeURIComponent(`/oauth/authorize?${new URLSearchParams(toPairs(search))}`)}`);
  const workspaces = await application().listTenants(account);
  const { client, redirectUri } = asked;
  const { code_challenge: codeChallenge, state = null } = request.data;
  const denyTo = redirectWith(redirectUri, { error: 'access_denied', state });
  return (
    <NextIntlClientProvider messages={pickMessages(messages, ['ui', 'states', 'programs'])}>
      <EntryFrame>
        {workspaces.length === 0 ? (
          <>
            <h1 className="text-page font-semibold">{t('none.title')}</h1>
            <p className="mt-2 mb-6 max-w-[52ch] text-chat">{t('none.body')}</p>
            <a href={denyTo} className={buttonClasses({ look: 'outline', size: 'large' })}>
              {t('none.back')}
            </a>
          </>
        ) : (
          <>
            <h1 className="text-page font-semibold break-words">{t('title', { program: client.name })}</h1>
            <p className="mt-2 max-w-[60ch] text-chat">{t('lead', { program: client.name })}</p>
            <p className="mt-2 text-ui break-words text-muted-foreground">
              {t('sentTo', { host: new URL(redirectUri).host || redirectUri })}
            </p>
            <p className="mt-1 text-ui text-muted-foreground">{t('as', { email: account.email })}</p>
            <AllowProgram workspaces={workspaces} asked={{ clientId: client.id, redirectUri, codeChallenge, state }} denyTo={denyTo} />
          </>
        )}
      </EntryFrame>
    </NextIntlClientProvider>
  );
}

function toPairs(search: Search): [string, string][] {
  return Object.entries(search).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as [string, string]] : []));
}
