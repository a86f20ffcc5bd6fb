import Link from 'next/link';
import { useLocale, useTranslations } from 'next-intl';
import { Section } from '#components/ui/section.tsx';
import type { PluginView } from '#lib/plugins/contract.ts';
import { UninstallPlugin } from './uninstall-plugin.tsx';

/** What hangs on a plugin here, and the way to be rid of it. */
export function PluginUsage({ tenantSlug, plugin, canInstall }: { tenantSlug: string; plugin: PluginView; canInstall: boolean }) {
  const t = useTranslations('marketplace.usage');
  const locale = useLocale();
  const { dependents } = plugin;
  const nameOf = (key: string) => plugin.presets.find((preset) => preset.key === key)?.name[locale] ?? key;
  return (
    <>
      <Section title={t('sessions')}>
        {dependents.sessions.length === 0 ? (
          <p className="text-ui text-muted-foreground">{t('noSessions')}</p>
        ) : (
          <>
            <ul className="divide-y divide-border text-ui">
              {dependents.sessions.map(({ preset, count }) => (
                <li key={preset} className="flex justify-between gap-4 py-1.5">
                  {nameOf(preset)}
                  <span className="text-muted-foreground tabular">{t('count', { count })}</span>
                </li>
              ))}
            </ul>
            <p className="mt-1 text-meta text-muted-foreground">{t('openRuns', { count: dependents.openRuns })}</p>
          </>
        )}
      </Section>
      <Section title={t('plugins')}>
        {dependents.plugins.length === 0 ? (
          <p className="text-ui text-muted-foreground">{t('noPlugins')}</p>
        ) : (
          <ul className="text-ui">
            {dependents.plugins.map(({ id, name }) => (
              <li key={id} className="py-1">
                <Link href={`/${tenantSlug}/marketplace/${id}`} className="hover:underline">
                  {name[locale]}
                </Link>
              </li>
            ))}
          </ul>
        )}
      </Section>
      {plugin.documents.length > 0 || dependents.documents > 0 ? (
        <Section title={t('documents')}>
          <p className="text-ui text-muted-foreground">{t('documentsCount', { count: dependents.documents })}</p>
        </Section>
      ) : null}
      {canInstall && plugin.installedVersion !== null ? (
        <Section title={t('remove')} intro={t('removeIntro')} isDangerous>
          <UninstallPlugin tenantSlug={tenantSlug} plugin={plugin} />
        </Section>
      ) : null}
    </>
  );
}
