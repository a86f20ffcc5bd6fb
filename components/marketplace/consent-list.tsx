import { useLocale, useTranslations } from 'next-intl';
import type { PluginView } from '#lib/plugins/contract.ts';
import { usePermissionName } from './use-permission-name.ts';

/** What a plugin asks for and why; what an upgrade asks for more stands out. */
export function ConsentList({ permissions, isUpgrade }: { permissions: PluginView['permissions']; isUpgrade: boolean }) {
  const t = useTranslations('marketplace');
  const locale = useLocale();
  const permissionName = usePermissionName();
  if (permissions.length === 0) return <p className="text-ui text-muted-foreground">{t('asks.none')}</p>;
  return (
    <ul className="border-y border-border">
      {permissions.map(({ permission, why, isConsented }) => {
        const isNew = isUpgrade && !isConsented;
        return (
          <li key={permission} className="border-b border-border py-1.5 last:border-b-0">
            <p className="flex flex-wrap items-baseline gap-x-2 text-ui font-medium">
              {permissionName(permission)}
              <code className="font-mono text-meta font-normal text-muted-foreground">{permission}</code>
              {isNew ? <span className="text-meta text-warn">{t('install.new')}</span> : null}
            </p>
            <p className="text-ui text-muted-foreground">{why[locale]}</p>
          </li>
        );
      })}
    </ul>
  );
}
