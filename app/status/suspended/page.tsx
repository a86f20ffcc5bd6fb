import type { Metadata } from 'next';
import Link from 'next/link';
import { redirect } from 'next/navigation';
import { getTranslations } from 'next-intl/server';
import { StateGlyph } from '#components/ui/state-glyph.tsx';
import { currentAccount } from '#lib/auth/index.ts';
import { application } from '#lib/composition/index.ts';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('operator.status.suspended');
  return { title: t('title') };
}

interface SuspendedPageProps {
  searchParams: Promise<{ workspace?: string | string[] }>;
}

/** Where members of a suspended workspace are sent. Named is it only to them. */
export default async function SuspendedPage({ searchParams }: SuspendedPageProps) {
  const [{ workspace }, t, account] = await Promise.all([searchParams, getTranslations('operator.status.suspended'), currentAccount()]);
  if (!account) redirect('/sign-in');
  const tenants = await application().listTenants(account);
  const tenant = tenants.find(({ slug }) => slug === workspace);
  const others = tenants.filter(({ slug }) => slug !== workspace);
  return (
    <>
      <h1 className="flex items-center gap-2 text-page font-semibold">
        <StateGlyph tone="stopped" className="size-4" />
        {t('title')}
      </h1>
      <p className="mt-2 max-w-[52ch] text-chat">{tenant ? t('body', { tenant: tenant.name }) : t('bodyUnnamed')}</p>
      <p className="mt-1 text-chat text-muted-foreground">{t('next')}</p>
      {others.length > 0 ? (
        <section className="mt-6 border-t border-border pt-4 text-ui">
          <h2 className="font-medium">{t('others')}</h2>
          <ul className="mt-1 flex flex-col gap-1">
            {others.map(({ slug, name }) => (
              <li key={slug}>
                <Link href={`/${slug}`} className="touchable text-primary underline underline-offset-2">
                  {name}
                </Link>
              </li>
            ))}
          </ul>
        </section>
      ) : null}
    </>
  );
}
