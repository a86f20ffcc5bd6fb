import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { ModelsSettings } from '#components/models/models-settings.tsx';
import { Denied } from '#components/shell/denied.tsx';
import { loadDocumentSearch, loadModels, loadShell } from '../../page-data.ts';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('models');
  return { title: t('title') };
}

export default async function ModelsPage({ params }: { params: Promise<{ tenant: string }> }) {
  const { tenant } = await params;
  const [me, models, search] = await Promise.all([loadShell(tenant), loadModels(tenant), loadDocumentSearch(tenant)]);
  if (!models.isAllowed) return <Denied permission={models.permission} />;
  return (
    <ModelsSettings
      models={models.value}
      search={search.isAllowed ? search.value : null}
      canManage={me.permissions.includes('model:manage')}
    />
  );
}
