import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { PageHead } from '#components/shell/page-head.tsx';
import { SettingsSections } from '#components/shell/settings-sections.tsx';

export default async function SettingsLayout({ children }: { children: ReactNode }) {
  const t = await getTranslations('shell');
  return (
    <>
      <PageHead title={t('settings')} className="border-b-0" />
      <SettingsSections />
      <div className="min-h-0 flex-1 overflow-y-auto">{children}</div>
    </>
  );
}
