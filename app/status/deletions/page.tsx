import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { getTranslations } from 'next-intl/server';
import { PurgeList } from '#components/operator/purge-list.tsx';
import { currentAccount } from '#lib/auth/index.ts';
import { application } from '#lib/composition/index.ts';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('operator.status.deletions');
  return { title: t('title') };
}

/** Where whoever has deleted a workspace follows what becomes of it: the workspace itself has no pages any more. */
export default async function DeletionsPage() {
  const [t, account] = await Promise.all([getTranslations('operator.status.deletions'), currentAccount()]);
  if (!account) redirect('/sign-in?callback=/status/deletions');
  const { items } = await application().listOwnPurges(account);
  return (
    <>
      <h1 className="text-page font-semibold">{t('title')}</h1>
      <p className="mt-1 mb-4 max-w-[52ch] text-ui text-muted-foreground">{t('lead')}</p>
      <PurgeList purges={items} source="/api/account/deletions" emptyText={t('none')} />
    </>
  );
}
