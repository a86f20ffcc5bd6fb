import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { DocumentReader } from '#components/knowledge/document-reader.tsx';
import { Denied } from '#components/shell/denied.tsx';
import { loadDocument, loadPassage } from '../../page-data.ts';

type Params = Promise<{ tenant: string; document: string }>;

export async function generateMetadata({ params }: { params: Params }): Promise<Metadata> {
  const { tenant, document } = await params;
  const [loaded, t] = await Promise.all([loadDocument(tenant, document), getTranslations('knowledge.pages')]);
  return { title: loaded.isAllowed ? loaded.value.title : t('list') };
}

interface DocumentPageProps {
  params: Params;
  searchParams: Promise<{ passage?: string | string[] }>;
}

export default async function DocumentPage({ params, searchParams }: DocumentPageProps) {
  const [{ tenant, document }, { passage }] = await Promise.all([params, searchParams]);
  const [loaded, quoted] = await Promise.all([
    loadDocument(tenant, document),
    loadPassage(tenant, document, typeof passage === 'string' ? passage : undefined),
  ]);
  if (!loaded.isAllowed) return <Denied permission={loaded.permission} />;
  return <DocumentReader key={loaded.value.id} document={loaded.value} passage={quoted.isAllowed ? quoted.value : null} />;
}
