import type { Metadata } from 'next';
import Link from 'next/link';
import { getLocale, getTranslations } from 'next-intl/server';
import { ModelFigures } from '#components/metrics/model-figures.tsx';
import { RunFigures } from '#components/metrics/run-figures.tsx';
import { StageFigures } from '#components/metrics/stage-figures.tsx';
import { ToolFigures } from '#components/metrics/tool-figures.tsx';
import { Denied } from '#components/shell/denied.tsx';
import { PageHead } from '#components/shell/page-head.tsx';
import { buttonClasses } from '#components/ui/button.tsx';
import { EmptyState } from '#components/ui/empty-state.tsx';
import { Section } from '#components/ui/section.tsx';
import { TabLinks } from '#components/ui/tab-links.tsx';
import { FIGURES_PERIODS, figuresQuery } from '#lib/record/contract.ts';
import { loadCapabilityNames, loadFigures, oneOf, type SearchParams } from '../page-data.ts';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('metrics');
  return { title: t('title') };
}

interface MetricsPageProps {
  params: Promise<{ tenant: string }>;
  searchParams: Promise<SearchParams>;
}

export default async function MetricsPage({ params, searchParams }: MetricsPageProps) {
  const [{ tenant }, given, t, locale] = await Promise.all([params, searchParams, getTranslations('metrics'), getLocale()]);
  // A period that is none is the usual one.
  const period = figuresQuery.shape.period.catch('7d').parse(oneOf(given.period));
  const [figures, names] = await Promise.all([loadFigures(tenant, period), loadCapabilityNames(tenant)]);
  if (!figures.isAllowed) return <Denied permission={figures.permission} />;
  const { runs, tools, models, stages, isCut, to } = figures.value;
  const base = `/${tenant}/metrics`;
  const longest = FIGURES_PERIODS.at(-1);
  const titles = Object.fromEntries(names.map(({ id, title }) => [id, locale === 'zh-CN' ? title['zh-CN'] : title.en]));
  return (
    <>
      <PageHead title={t('title')} />
      <div className="shrink-0 px-4">
        <TabLinks
          label={t('period')}
          current={period}
          tabs={FIGURES_PERIODS.map((key) => ({ key, href: `${base}?period=${key}`, label: t(`periods.${key}`) }))}
        />
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="flex max-w-[120ch] flex-col gap-8 px-4 pt-4 pb-8">
          {runs.total === 0 ? (
            <EmptyState
              title={t('empty')}
              action={
                period === longest ? undefined : (
                  <Link href={`${base}?period=${longest}`} className={buttonClasses({ look: 'outline' })}>
                    {t('longer')}
                  </Link>
                )
              }
            >
              {t('emptyBody')}
            </EmptyState>
          ) : (
            <>
              {isCut ? <p className="text-ui text-muted-foreground">{t('cut', { count: runs.total })}</p> : null}
              <RunFigures tenantSlug={tenant} runs={runs} />
              <Section title={t('tools.title')} intro={t('tools.intro')}>
                {tools.length > 0 ? (
                  <ToolFigures tenantSlug={tenant} tools={tools} titles={titles} />
                ) : (
                  <Nothing>{t('tools.none')}</Nothing>
                )}
              </Section>
              <Section title={t('models.title')} intro={t('models.intro')}>
                {models.length > 0 ? <ModelFigures models={models} /> : <Nothing>{t('models.none')}</Nothing>}
              </Section>
            </>
          )}
          <Section title={t('stages.title')} intro={t('stages.intro')}>
            {stages.length > 0 ? <StageFigures tenantSlug={tenant} stages={stages} readAt={to} /> : <Nothing>{t('stages.none')}</Nothing>}
          </Section>
        </div>
      </div>
    </>
  );
}

function Nothing({ children }: { children: string }) {
  return <p className="text-ui text-muted-foreground">{children}</p>;
}
