import { useTranslations } from 'next-intl';
import { TabLinks } from '#components/ui/tab-links.tsx';

/** What a workspace knows: its documents, and its own words. */
export function KnowledgeTabs({ tenantSlug, current }: { tenantSlug: string; current: 'documents' | 'terms' }) {
  const t = useTranslations('knowledge.tabs');
  const tabs = [
    { key: 'documents', href: `/${tenantSlug}/knowledge`, label: t('documents') },
    { key: 'terms', href: `/${tenantSlug}/knowledge/terms`, label: t('terms') },
  ];
  return (
    <div className="shrink-0 px-4">
      <TabLinks label={t('label')} current={current} tabs={tabs} />
    </div>
  );
}
