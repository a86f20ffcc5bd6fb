import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { DocsTabs } from '#components/docs/docs-tabs.tsx';
import { OperationList } from '#components/docs/operation-list.tsx';
import { readOperations } from '#components/docs/read-operations.ts';
import description from '../../api/openapi.json/openapi.json' with { type: 'json' };

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('docs.tabs');
  return { title: t('api') };
}

export default async function ApiPage() {
  const t = await getTranslations('docs');
  return (
    <>
      <DocsTabs current="api" />
      <h1 className="text-page font-semibold">{t('tabs.api')}</h1>
      <p className="mt-1 max-w-[72ch] text-ui text-muted-foreground">{t('api.lead')}</p>
      <p className="mt-1 mb-5 text-ui">
        <a href="/api/openapi.json" download className="text-primary underline underline-offset-2">
          {t('api.raw')}
        </a>
      </p>
      <OperationList groups={readOperations(description)} />
    </>
  );
}
