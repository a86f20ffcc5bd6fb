import type { Metadata } from 'next';
import Link from 'next/link';
import { NextIntlClientProvider } from 'next-intl';
import { getFormatter, getMessages, getTranslations } from 'next-intl/server';
import { EntryFrame } from '#components/auth/entry-frame.tsx';
import { JoinAsAccount, JoinAsNewcomer } from '#components/tenancy/accept-invitation.tsx';
import { nameRole } from '#components/tenancy/use-role-name.ts';
import { currentAccount } from '#lib/auth/index.ts';
import { application } from '#lib/composition/index.ts';
import { pickMessages } from '#lib/i18n/index.ts';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('people.invitations');
  // The link is the secret: it must not be found again by a search, nor shown with more than this.
  return { title: t('title'), robots: { index: false, follow: false } };
}

export default async function InvitationPage({ params }: { params: Promise<{ token: string }> }) {
  const { token } = await params;
  const [t, roleText, format, messages, offer, account] = await Promise.all([
    getTranslations('invite'),
    getTranslations('states.role'),
    getFormatter(),
    getMessages(),
    application().findOfferedInvitation(token),
    currentAccount(),
  ]);
  return (
    <NextIntlClientProvider messages={pickMessages(messages, ['ui', 'states', 'auth', 'invite'])}>
      <EntryFrame>
        {offer ? (
          <>
            <h1 className="text-page font-semibold break-words">{t('title', { tenant: offer.tenant })}</h1>
            <p className="mt-1 text-chat">
              {t('lead', {
                inviter: offer.invitedBy,
                tenant: offer.tenant,
                role: nameRole(roleText, offer.role),
              })}
            </p>
            <p className="mt-1 mb-6 text-ui text-muted-foreground">
              {t('until', { date: format.dateTime(new Date(offer.expiresAt), { dateStyle: 'medium', timeStyle: 'short' }) })}
            </p>
            {account ? <JoinAsAccount token={token} email={account.email} /> : <JoinAsNewcomer token={token} />}
          </>
        ) : (
          <>
            <h1 className="text-page font-semibold">{t('gone.title')}</h1>
            <p className="mt-2 max-w-[52ch] text-chat">{t('gone.body')}</p>
            <p className="mt-1 text-chat text-muted-foreground">{t('gone.next')}</p>
            {account ? null : (
              <p className="mt-6 text-ui">
                <Link href="/sign-in" className="text-primary underline underline-offset-2">
                  {t('gone.signIn')}
                </Link>
              </p>
            )}
          </>
        )}
      </EntryFrame>
    </NextIntlClientProvider>
  );
}
