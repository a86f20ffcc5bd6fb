import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { ExportList } from '#components/exports/export-list.tsx';
import { Denied } from '#components/shell/denied.tsx';
import { PageHead } from '#components/shell/page-head.tsx';
import { loadExports } from '../page-data.ts';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('exports');
  return { title: t('title') };
}

export default async function ExportsPage({ params }: { params: Promise<{ tenant: string }> }) {
  const { tenant } = await params;
  const [exports, t] = await Promise.all([loadExports(tenant), getTranslations('exports')]);
  if (!exports.isAllowed) return <Denied permission={exports.permission} />;
  return (
    <>
      <PageHead title={t('title')} />
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="max-w-[100ch] px-4 py-4">
          <p className="mb-4 text-ui text-muted-foreground">{t('what')}</p>
          <ExportList initial={exports.value} />
        </div>
      </div>
    </>
  );
}
