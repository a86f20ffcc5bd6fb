'use client';

import { usePathname } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { TabLinks } from '#components/ui/tab-links.tsx';

const SECTIONS = ['profile', 'appearance', 'shortcuts', 'sessions'] as const;

/** The parts of a person's account. */
export function AccountSections() {
  const t = useTranslations('account.sections');
  const current = usePathname().split('/')[2] ?? '';
  return <TabLinks label={t('label')} current={current} tabs={SECTIONS.map((key) => ({ key, href: `/account/${key}`, label: t(key) }))} />;
}
