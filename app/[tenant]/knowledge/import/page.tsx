import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { ImportDocuments } from '#components/knowledge/import-documents.tsx';
import { Denied } from '#components/shell/denied.tsx';
import { loadShell } from '../../page-data.ts';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('knowledge.import');
  return { title: t('title') };
}

export default async function ImportDocumentsPage({ params }: { params: Promise<{ tenant: string }> }) {
  const { tenant } = await params;
  const me = await loadShell(tenant);
  if (!me.permissions.includes('knowledge:write')) return <Denied permission="knowledge:write" />;
  return <ImportDocuments />;
}
