'use client';

import { ArrowLeftIcon } from 'lucide-react';
import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { TabLinks } from '#components/ui/tab-links.tsx';

const SECTIONS = ['tenants', 'accounts', 'health'] as const;

/** What is around the pages of an operator: they stand outside of every workspace. */
export function OperatorFrame({ children }: { children: ReactNode }) {
  const t = useTranslations('operator');
  const current = usePathname().split('/')[2] ?? '';
  return (
    <div className="flex min-h-dvh flex-col">
      <header className="shrink-0 bg-sunken">
        <div className="flex h-11 items-center gap-4 px-4">
          <Link href="/" className="touchable flex items-center gap-2 text-ui text-muted-foreground hover:text-foreground">
            <ArrowLeftIcon aria-hidden className="size-4" />
            {t('back')}
          </Link>
          <span className="text-ui font-semibold">{t('title')}</span>
        </div>
        <div className="px-4">
          <TabLinks
            label={t('sections.label')}
            current={current}
            tabs={SECTIONS.map((key) => ({ key, href: `/operator/${key}`, label: t(`sections.${key}`) }))}
          />
        </div>
      </header>
      <main className="flex-1">{children}</main>
    </div>
  );
}
