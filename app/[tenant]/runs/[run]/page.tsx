import type { Metadata } from 'next';
import { getLocale, getTranslations } from 'next-intl/server';
import { CapabilityTitleScope } from '#components/capabilities/capability-titles.tsx';
import { RunDetail } from '#components/runs/run-detail.tsx';
import { RunFamily } from '#components/runs/run-family.tsx';
import { parseRunView } from '#components/runs/run-views.ts';
import { Denied } from '#components/shell/denied.tsx';
import { application } from '#lib/composition/index.ts';
import { loadCapabilityNames, loadPresets, loadTrace } from '../../page-data.ts';

type Params = Promise<{ tenant: string; run: string }>;

export async function generateMetadata({ params }: { params: Params }): Promise<Metadata> {
  const { tenant, run } = await params;
  const [loaded, t] = await Promise.all([loadTrace(tenant, run), getTranslations('runs.pages')]);
  return { title: (loaded.isAllowed && loaded.value.run.promptHead.slice(0, 60)) || t('detail') };
}

export default async function RunPage({ params, searchParams }: { params: Params; searchParams: Promise<{ view?: string | string[] }> }) {
  const [{ tenant, run }, { view }, locale] = await Promise.all([params, searchParams, getLocale()]);
  const [loaded, presets, titles] = await Promise.all([loadTrace(tenant, run), loadPresets(tenant), loadCapabilityNames(tenant)]);
  if (!loaded.isAllowed) return <Denied permission={loaded.permission} />;
  const preset = presets.find(({ key }) => key === loaded.value.run.preset);
  return (
    <CapabilityTitleScope titles={titles}>
      <RunDetail
        key={run}
        initialTrace={loaded.value}
        view={parseRunView(view)}
        revealLastsMs={application().config.revealLastsMs}
        family={<RunFamily run={loaded.value.run} tenantSlug={tenant} />}
        presetName={preset?.name[locale] ?? loaded.value.run.preset}
      />
    </CapabilityTitleScope>
  );
}
