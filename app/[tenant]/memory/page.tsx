import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { FactList } from '#components/memory/fact-list.tsx';
import { Denied } from '#components/shell/denied.tsx';
import { PageHead } from '#components/shell/page-head.tsx';
import { loadFacts, loadShell } from '../page-data.ts';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('memory');
  return { title: t('title') };
}

export default async function MemoryPage({ params }: { params: Promise<{ tenant: string }> }) {
  const { tenant } = await params;
  const [me, facts, t] = await Promise.all([loadShell(tenant), loadFacts(tenant), getTranslations('memory')]);
  if (!facts.isAllowed) return <Denied permission={facts.permission} />;
  return (
    <>
      <PageHead title={t('title')} />
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="max-w-[76ch] px-4 py-4">
          <p className="mb-5 text-ui text-muted-foreground">{t('what', { tenant: me.tenant.name })}</p>
          <FactList facts={facts.value} canWrite={me.permissions.includes('memory:write')} />
        </div>
      </div>
    </>
  );
}
