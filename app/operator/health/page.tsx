import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { HealthFacts } from '#components/operator/health-facts.tsx';
import { OperatorsOnly } from '#components/operator/operators-only.tsx';
import { SettingsPage } from '#components/shell/settings-page.tsx';
import { loadHealth } from '../operator-data.ts';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('operator.sections');
  return { title: t('health') };
}

export default async function OperatorHealthPage() {
  const [health, t] = await Promise.all([loadHealth(), getTranslations('operator.sections')]);
  if (!health) return <OperatorsOnly />;
  return (
    <SettingsPage title={t('health')}>
      <HealthFacts health={health} />
    </SettingsPage>
  );
}
