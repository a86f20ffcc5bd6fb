import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { Denied } from '#components/shell/denied.tsx';
import { SettingsPage } from '#components/shell/settings-page.tsx';
import { ApiKeysList } from '#components/tenancy/api-keys-list.tsx';
import { NewApiKey } from '#components/tenancy/new-api-key.tsx';
import { loadApiKeys, oneOf, type SearchParams } from '../../page-data.ts';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('people.title');
  return { title: t('apiKeys') };
}

interface ApiKeysPageProps {
  params: Promise<{ tenant: string }>;
  searchParams: Promise<SearchParams>;
}

export default async function ApiKeysPage({ params, searchParams }: ApiKeysPageProps) {
  const [{ tenant }, search, t] = await Promise.all([params, searchParams, getTranslations('people')]);
  const cursor = oneOf(search.cursor);
  const keys = await loadApiKeys(tenant, cursor);
  if (!keys.isAllowed) return <Denied permission={keys.permission} />;
  return (
    <SettingsPage
      title={t('title.apiKeys')}
      intro={t('keys.lead')}
      action={keys.value.items.length > 0 ? <NewApiKey look="outline" /> : null}
      isWide
    >
      <ApiKeysList page={keys.value} cursor={cursor} />
    </SettingsPage>
  );
}
