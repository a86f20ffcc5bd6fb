import { useLocale, useTranslations } from 'next-intl';
import { Section } from '#components/ui/section.tsx';
import { StateChip } from '#components/ui/state-chip.tsx';
import type { PluginView } from '#lib/plugins/contract.ts';
import { usePermissionName } from './use-permission-name.ts';

/** What a plugin asks for, why, by which tools, and how often they were used here. */
export function PluginPermissions({ plugin }: { plugin: PluginView }) {
  const t = useTranslations('marketplace');
  const locale = useLocale();
  const permissionName = usePermissionName();
  return (
    <Section title={t('tabs.permissions')} intro={t('asks.intro')}>
      {plugin.permissions.length === 0 ? <p className="text-ui text-muted-foreground">{t('asks.none')}</p> : null}
      <ul className="divide-y divide-border">
        {plugin.permissions.map(({ permission, why, isConsented }) => {
          const users = plugin.capabilities.filter(({ permissions }) => permissions.includes(permission));
          const count = users.reduce((sum, { callCount }) => sum + callCount, 0);
          return (
            <li key={permission} className="py-2">
              <p className="flex flex-wrap items-baseline gap-x-2 text-ui">
                <span className="font-medium">{permissionName(permission)}</span>
                <code className="font-mono text-meta text-muted-foreground">{permission}</code>
                {plugin.installedVersion === null ? null : (
                  <StateChip tone={isConsented ? 'ok' : 'warn'} className="ms-auto">
                    {isConsented ? t('asks.given') : t('asks.open')}
                  </StateChip>
                )}
              </p>
              <p className="max-w-[72ch] text-ui text-muted-foreground">{why[locale]}</p>
              <p className="mt-0.5 text-meta text-muted-foreground">
                {users.map(({ title }) => title[locale]).join(' · ')}
                {plugin.installedVersion === null ? null : ` · ${t('asks.used')}: ${t('asks.usedCount', { count })}`}
              </p>
            </li>
          );
        })}
      </ul>
    </Section>
  );
}
