import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { DocumentReader } from '#components/knowledge/document-reader.tsx';
import { Denied } from '#components/shell/denied.tsx';
import { loadDocument, loadShell } from '../../page-data.ts';

type Params = Promise<{ tenant: string; document: string }>;

export async function generateMetadata({ params }: { params: Params }): Promise<Metadata> {
  const { tenant, document } = await params;
  const [loaded, t] = await Promise.all([loadDocument(tenant, document), getTranslations('knowledge.pages')]);
  return { title: loaded.isAllowed ? loaded.value.title : t('list') };
}

export default async function DocumentPage({ params }: { params: Params }) {
  const { tenant, document } = await params;
  const [me, loaded] = await Promise.all([loadShell(tenant), loadDocument(tenant, document)]);
  if (!loaded.isAllowed) return <Denied permission={loaded.permission} role={loaded.role} tenant={me.tenant.name} />;
  return <DocumentReader key={loaded.value.id} document={loaded.value} />;
}
