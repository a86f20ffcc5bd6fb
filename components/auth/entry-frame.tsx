import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { Mark } from '#components/shell/mark.tsx';
import { LanguageSwitch } from '#components/theme/language-switch.tsx';
import { RunSpecimen } from './run-specimen.tsx';

/** The pages before a workspace: what is asked for on the left, what the product records on the right. */
export function EntryFrame({ children }: { children: ReactNode }) {
  const t = useTranslations('auth');
  return (
    <div className="grid min-h-dvh lg:grid-cols-[minmax(26rem,34rem)_1fr]">
      <main className="flex flex-col border-border px-6 py-5 sm:px-10 lg:border-e">
        <div className="flex items-center gap-2.5">
          <Mark />
          <span className="text-ui font-semibold">{t('product')}</span>
          <span className="ms-auto">
            <LanguageSwitch />
          </span>
        </div>
        <div className="flex flex-1 flex-col justify-center py-10">{children}</div>
        <p className="text-meta text-muted-foreground">{t('foot')}</p>
      </main>
      <aside aria-label={t('specimen.label')} className="hidden flex-col justify-center bg-sunken px-14 lg:flex">
        <RunSpecimen />
      </aside>
    </div>
  );
}
