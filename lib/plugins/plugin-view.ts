import type { PluginSummaryView, PluginView } from './contract.ts';
import { missingSettings } from './domain/configuration.ts';
import { type PluginInstall, pluginState } from './domain/installation.ts';
import type { PluginManifest } from './domain/manifest.ts';
import type { PluginOperation } from './domain/operation.ts';

/** How a plugin stands in a tenant. */
export interface PluginStanding {
  readonly install: PluginInstall | null;
  /** The latest, or the running one; null: none. */
  readonly operation: PluginOperation | null;
}

/** Pure. */
export function toSummaryView(manifest: PluginManifest, { install, operation }: PluginStanding): PluginSummaryView {
  const consented = new Set(install?.permissions);
  return {
    id: manifest.id,
    name: { ...manifest.name },
    description: { ...manifest.description },
    publisher: manifest.publisher,
    version: manifest.version,
    installedVersion: install?.version ?? null,
    kind: manifest.kind,
    domain: manifest.domain,
    icon: manifest.icon,
    state: pluginState({
      manifest,
      install,
      operation,
      isConfigured: install === null || missingSettings(manifest, install.settings).length === 0,
    }),
    permissions: manifest.permissions.map(({ permission, why }) => ({
      permission,
      why: { ...why },
      isConsented: consented.has(permission),
    })),
    needs: manifest.needs ?? null,
  };
}

/** A plugin that is installed and that no catalogue has any more. */
export function toWithdrawnView({ pluginId, version, permissions }: PluginInstall): PluginSummaryView {
  const name = { en: pluginId, 'zh-CN': pluginId };
  return {
    id: pluginId,
    name,
    description: {
      en: 'This build no longer has it: it does nothing here, and can be removed.',
      'zh-CN': '当前版本已不再提供：它在这里不起作用，可以移除。',
    },
    publisher: '',
    version,
    installedVersion: version,
    kind: 'tool',
    domain: '',
    icon: 'plug',
    state: 'withdrawn',
    permissions: permissions.map((permission) => ({ permission, why: { en: '', 'zh-CN': '' }, isConsented: true })),
    needs: null,
  };
}

/** The releases, each with what it asks for more and less than the one before. Pure. */
export function toChangelogView({ changelog }: PluginManifest): PluginView['changelog'] {
  return changelog.map(({ version, date, changes, permissions }, index) => {
    const before = changelog[index + 1]?.permissions ?? [];
    return {
      version,
      date,
      changes: changes.map((text) => ({ ...text })),
      permissions: [...permissions],
      addedPermissions: permissions.filter((permission) => !before.includes(permission)),
      removedPermissions: before.filter((permission) => !permissions.includes(permission)),
    };
  });
}
