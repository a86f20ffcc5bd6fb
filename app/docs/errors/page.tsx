import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { DocsTabs } from '#components/docs/docs-tabs.tsx';
import { ErrorCatalogue } from '#components/docs/error-catalogue.tsx';
import { ERROR_STATUS } from '#lib/http/index.ts';
import { ERROR_CODES } from '#lib/kernel/index.ts';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('docs.tabs');
  return { title: t('errors') };
}

export default async function ErrorsPage() {
  const t = await getTranslations('docs');
  const entries = ERROR_CODES.map((code) => ({ code, status: ERROR_STATUS[code] })).sort(
    (a, b) => a.status - b.status || (a.code < b.code ? -1 : 1),
  );
  return (
    <>
      <DocsTabs current="errors" />
      <h1 className="text-page font-semibold">{t('tabs.errors')}</h1>
      <p className="mt-1 mb-5 max-w-[72ch] text-ui text-muted-foreground">{t('errors.lead')}</p>
      <ErrorCatalogue entries={entries} />
    </>
  );
}
