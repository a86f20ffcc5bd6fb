import Link from 'next/link';
import { useLocale, useTranslations } from 'next-intl';
import { Badge } from '#components/ui/state-chip.tsx';
import type { PluginSummaryView } from '#lib/plugins/contract.ts';
import { PluginIcon } from './plugin-icon.tsx';
import { PluginStateChip } from './plugin-state-chip.tsx';
import { usePermissionName } from './use-permission-name.ts';

/** Names of permissions that a row tells; more are counted. */
const TOLD = 3;

/** Plugins as they stand in this workspace, one a row; what each asks for is told before it is opened. */
export function PluginList({ tenantSlug, plugins }: { tenantSlug: string; plugins: readonly PluginSummaryView[] }) {
  const t = useTranslations('marketplace');
  return (
    <ul aria-label={t('list.label')} className="divide-y divide-border border-b border-border">
      {plugins.map((plugin) => (
        <PluginRow key={plugin.id} tenantSlug={tenantSlug} plugin={plugin} />
      ))}
    </ul>
  );
}

function PluginRow({ tenantSlug, plugin }: { tenantSlug: string; plugin: PluginSummaryView }) {
  const t = useTranslations('marketplace');
  const locale = useLocale();
  const permissionName = usePermissionName();
  const names = plugin.permissions.map(({ permission }) => permissionName(permission));
  const more = names.length - TOLD;
  return (
    <li className="relative grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 px-4 py-3 hover:bg-foreground/3 sm:grid-cols-[auto_minmax(0,1fr)_auto]">
      <PluginIcon icon={plugin.icon} />
      <div className="min-w-0">
        <div className="flex flex-wrap items-baseline gap-x-2">
          <h2 className="text-ui font-semibold">
            {/* The whole row leads to the plugin; the name is what is read out. */}
            <Link href={`/${tenantSlug}/marketplace/${plugin.id}`} className="after:absolute after:inset-0">
              {plugin.name[locale]}
            </Link>
          </h2>
          {plugin.publisher ? (
            <span className="text-meta text-muted-foreground">{t('list.publisher', { publisher: plugin.publisher })}</span>
          ) : null}
        </div>
        <p className="max-w-[80ch] text-ui text-muted-foreground">{plugin.description[locale]}</p>
        <p className="mt-1 text-meta text-muted-foreground">
          {names.length === 0 ? t('list.asks', { count: 0 }) : names.slice(0, TOLD).join(' · ')}
          {more > 0 ? ` +${more}` : null}
        </p>
      </div>
      <div className="flex flex-wrap items-center gap-2 max-sm:col-start-2 max-sm:mt-2 sm:flex-col sm:items-end">
        <PluginStateChip state={plugin.state} />
        <span className="flex gap-1">
          <Badge>{t(`kinds.${plugin.kind}`)}</Badge>
          {plugin.needs === 'model' ? <Badge>{t('list.needsModel')}</Badge> : null}
        </span>
      </div>
    </li>
  );
}
