import { useTranslations } from 'next-intl';
import { TabLinks } from '#components/ui/tab-links.tsx';

/** The parts of the reference. */
export function DocsTabs({ current }: { current: 'api' | 'errors' }) {
  const t = useTranslations('docs.tabs');
  const tabs = [
    { key: 'api', href: '/docs/api', label: t('api') },
    { key: 'errors', href: '/docs/errors', label: t('errors') },
  ];
  return (
    <div className="mt-2 mb-6">
      <TabLinks label={t('label')} current={current} tabs={tabs} />
    </div>
  );
}
