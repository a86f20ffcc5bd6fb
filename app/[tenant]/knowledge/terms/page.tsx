import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { KnowledgeTabs } from '#components/knowledge/knowledge-tabs.tsx';
import { TermList } from '#components/knowledge/term-list.tsx';
import { Denied } from '#components/shell/denied.tsx';
import { PageHead } from '#components/shell/page-head.tsx';
import { loadShell, loadTerms } from '../../page-data.ts';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('knowledge.pages');
  return { title: t('terms') };
}

export default async function TermsPage({ params }: { params: Promise<{ tenant: string }> }) {
  const { tenant } = await params;
  const [me, terms, t] = await Promise.all([loadShell(tenant), loadTerms(tenant), getTranslations('knowledge')]);
  if (!terms.isAllowed) return <Denied permission={terms.permission} />;
  return (
    <>
      <PageHead title={t('pages.list')} />
      <KnowledgeTabs tenantSlug={tenant} current="terms" />
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="max-w-[84ch] px-4 py-4">
          <p className="mb-5 text-ui text-muted-foreground">{t('terms.what')}</p>
          <TermList terms={terms.value.items} canWrite={me.permissions.includes('knowledge:write')} />
        </div>
      </div>
    </>
  );
}
