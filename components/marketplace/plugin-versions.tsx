import { useLocale, useTranslations } from 'next-intl';
import { Badge } from '#components/ui/state-chip.tsx';
import type { PluginView } from '#lib/plugins/contract.ts';
import { usePermissionName } from './use-permission-name.ts';

/** The releases of a plugin, each with what it changed and what it asks for more. */
export function PluginVersions({ plugin }: { plugin: PluginView }) {
  const t = useTranslations('marketplace.versions');
  const locale = useLocale();
  const permissionName = usePermissionName();
  const join = (permissions: readonly string[]) => permissions.map(permissionName).join(locale === 'en' ? ', ' : '、');
  return (
    <ol className="divide-y divide-border border-t border-border">
      {plugin.changelog.map((release, index) => {
        const isFirst = index === plugin.changelog.length - 1;
        return (
          <li key={release.version} className="py-3">
            <h2 className="flex flex-wrap items-baseline gap-x-2 text-ui font-semibold tabular">
              {release.version}
              <span className="text-meta font-normal text-muted-foreground">{release.date}</span>
              {release.version === plugin.installedVersion ? <Badge>{t('current')}</Badge> : null}
            </h2>
            <ul className="list-disc ps-5 text-ui">
              {release.changes.map((change) => (
                <li key={change.en}>{change[locale]}</li>
              ))}
            </ul>
            <p className="mt-1 text-meta text-muted-foreground">
              {isFirst
                ? release.permissions.length === 0
                  ? t('firstNone')
                  : t('first', { names: join(release.permissions) })
                : release.addedPermissions.length + release.removedPermissions.length === 0
                  ? t('same')
                  : null}
            </p>
            {!isFirst && release.addedPermissions.length > 0 ? (
              <p className="text-meta text-warn">{t('added', { names: join(release.addedPermissions) })}</p>
            ) : null}
            {!isFirst && release.removedPermissions.length > 0 ? (
              <p className="text-meta text-muted-foreground">{t('removed', { names: join(release.removedPermissions) })}</p>
            ) : null}
          </li>
        );
      })}
    </ol>
  );
}
