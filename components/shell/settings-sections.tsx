'use client';

import { usePathname } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { TabLinks } from '#components/ui/tab-links.tsx';
import { useMe } from './me-scope.tsx';

const SECTIONS = [{ key: 'models', permission: 'model:read' }] as const;

/** The sections of a workspace's settings that the person may open. */
export function SettingsSections() {
  const t = useTranslations('shell.settingsSections');
  const { tenant, permissions } = useMe();
  const base = `/${tenant.slug}/settings/`;
  const current = usePathname().slice(base.length).split('/')[0] ?? '';
  const tabs = SECTIONS.filter(({ permission }) => permissions.includes(permission)).map(({ key }) => ({
    key,
    href: base + key,
    label: t(key),
  }));
  if (tabs.length === 0) return null;
  return (
    <div className="shrink-0 px-4">
      <TabLinks label={t('label')} current={current} tabs={tabs} />
    </div>
  );
}
