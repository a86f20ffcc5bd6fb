import { PlusIcon, UploadIcon } from 'lucide-react';
import type { Metadata } from 'next';
import Link from 'next/link';
import { getTranslations } from 'next-intl/server';
import { DocumentList } from '#components/knowledge/document-list.tsx';
import { KnowledgeTabs } from '#components/knowledge/knowledge-tabs.tsx';
import { SearchNote } from '#components/knowledge/search-note.tsx';
import { Denied } from '#components/shell/denied.tsx';
import { PageHead } from '#components/shell/page-head.tsx';
import { buttonClasses } from '#components/ui/button.tsx';
import { EmptyState } from '#components/ui/empty-state.tsx';
import { loadDocumentSearch, loadDocuments, loadShell } from '../page-data.ts';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('knowledge.pages');
  return { title: t('list') };
}

interface KnowledgePageProps {
  params: Promise<{ tenant: string }>;
  searchParams: Promise<{ cursor?: string | string[] }>;
}

export default async function KnowledgePage({ params, searchParams }: KnowledgePageProps) {
  const [{ tenant }, { cursor }, t] = await Promise.all([params, searchParams, getTranslations('knowledge')]);
  const [me, documents, search] = await Promise.all([
    loadShell(tenant),
    loadDocuments(tenant, typeof cursor === 'string' ? cursor : undefined),
    loadDocumentSearch(tenant),
  ]);
  if (!documents.isAllowed) return <Denied permission={documents.permission} />;
  const { items, nextCursor } = documents.value;
  const add = me.permissions.includes('knowledge:write') ? (
    <>
      <Link href={`/${tenant}/knowledge/import`} className={buttonClasses({ look: 'outline' })}>
        <UploadIcon aria-hidden />
        {t('importAction')}
      </Link>
      <Link href={`/${tenant}/knowledge/new`} className={buttonClasses({ look: 'outline' })}>
        <PlusIcon aria-hidden />
        {t('add')}
      </Link>
    </>
  ) : null;
  return (
    <>
      <PageHead title={t('pages.list')}>{items.length > 0 ? add : null}</PageHead>
      <KnowledgeTabs tenantSlug={tenant} current="documents" />
      <div className="min-h-0 flex-1 overflow-y-auto">
        {items.length === 0 ? (
          <EmptyState title={t('empty')} example={t('example')} action={add} className="px-4">
            {t('emptyBody')}
          </EmptyState>
        ) : (
          <DocumentList tenantSlug={tenant} documents={items} />
        )}
        {items.length > 0 && search.isAllowed ? <SearchNote search={search.value} /> : null}
        {nextCursor ? (
          <div className="px-4 py-3">
            <Link href={`/${tenant}/knowledge?cursor=${encodeURIComponent(nextCursor)}`} className={buttonClasses({ look: 'outline' })}>
              {t('older')}
            </Link>
          </div>
        ) : null}
      </div>
    </>
  );
}
