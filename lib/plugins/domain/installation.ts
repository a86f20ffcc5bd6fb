import type { Id } from '#lib/kernel/index.ts';
import type { PluginManifest } from './manifest.ts';
import type { PluginOperation, PluginSettings, ProvidedDocument } from './operation.ts';

/** A plugin in a tenant (requirement P-19, layer 2: a row of `tenant_plugin_install`). */
export interface PluginInstall {
  readonly pluginId: string;
  readonly version: string;
  readonly isEnabled: boolean;
  /** The rights that were consented to. A capability that needs more does not exist here until somebody consents. */
  readonly permissions: readonly string[];
  readonly settings: PluginSettings;
  readonly documents: readonly ProvidedDocument[];
  readonly installedBy: Id<'user'>;
  readonly installedAt: Date;
  readonly updatedAt: Date;
}

/** What people are told about a plugin in their workspace, in one word. */
export const PLUGIN_STATES = [
  'available',
  'installing',
  'installed',
  'disabled',
  'needs-setup',
  'update',
  'needs-consent',
  'built-in',
  'withdrawn',
] as const;
export type PluginState = (typeof PLUGIN_STATES)[number];

/** Permissions that a manifest declares and nobody has consented to. Pure. */
export function addedPermissions(manifest: PluginManifest, install: Pick<PluginInstall, 'permissions'>): string[] {
  const consented = new Set(install.permissions);
  return manifest.permissions.map(({ permission }) => permission).filter((permission) => !consented.has(permission));
}

/** Pure. `isConfigured`: what is set fits the manifest's schema. */
export function pluginState(plugin: {
  manifest: PluginManifest;
  install: PluginInstall | null;
  operation: Pick<PluginOperation, 'state'> | null;
  isConfigured: boolean;
}): PluginState {
  const { manifest, install, operation, isConfigured } = plugin;
  if (!manifest.requiresInstall) return 'built-in';
  if (operation?.state === 'RUNNING') return 'installing';
  if (!install) return 'available';
  if (!install.isEnabled) return 'disabled';
  if (addedPermissions(manifest, install).length > 0) return 'needs-consent';
  if (!isConfigured) return 'needs-setup';
  return install.version === manifest.version ? 'installed' : 'update';
}
