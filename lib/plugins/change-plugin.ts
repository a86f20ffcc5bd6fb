import { AppError, type Id, type JsonObject, newId } from '#lib/kernel/index.ts';
import { type Actor, requirePermission } from '#lib/tenancy/index.ts';
import type { PluginView } from './contract.ts';
import type { PluginInstall } from './domain/installation.ts';
import type { PluginManifest } from './domain/manifest.ts';
import type { PluginSettings } from './domain/operation.ts';
import { viewPlugin } from './get-plugin.ts';
import type { PluginDependencies } from './plugin-dependencies.ts';
import type { PluginStores } from './ports.ts';
import { pluginNotInstalled, requireManifest } from './require-manifest.ts';
import { acceptSettings, requireValid } from './settings.ts';

/**
 * Disabled: its capabilities and presets do not exist here from the next call on; settings, documents and sessions stay.
 * Throws `permission_denied` without `plugin:install`, `not_found`, `plugin_not_installed`, and `conflict` when an enabled
 * plugin needs it, or it needs one that is not enabled.
 */
export async function switchPlugin(
  dependencies: PluginDependencies,
  actor: Actor,
  pluginId: string,
  { isEnabled }: { isEnabled: boolean },
): Promise<PluginView> {
  return changeInstall(dependencies, actor, pluginId, async ({ manifest, install, stores }) => {
    if (install.isEnabled === isEnabled) return install;
    await requireNeighbours(dependencies, { manifest, stores, isEnabled });
    await stores.audit.record({
      type: isEnabled ? 'plugin.enabled' : 'plugin.disabled',
      target: { kind: 'plugin', id: pluginId, name: manifest.name.en },
      details: { version: install.version },
    });
    return { ...install, isEnabled };
  });
}

/** What is set counts from the next call on. Throws as `switchPlugin`, and `invalid_request` naming the fields. */
export async function configurePlugin(
  dependencies: PluginDependencies,
  actor: Actor,
  pluginId: string,
  { configuration }: { configuration: JsonObject },
): Promise<PluginView> {
  return changeInstall(dependencies, actor, pluginId, async ({ manifest, install, stores }) => {
    const request = { tenantId: actor.scope.tenantId, manifest, before: install.settings, sent: configuration };
    const settings = acceptSettings(dependencies, request);
    await recordSettings(dependencies, actor, { manifest, install, settings, stores });
    return { ...install, settings };
  });
}

/** Sets a plugin as it was set once, secrets included. Throws as `configurePlugin`, and `not_found` for an unknown snapshot. */
export async function rollBackSettings(
  dependencies: PluginDependencies,
  actor: Actor,
  pluginId: string,
  { snapshotId }: { snapshotId: Id<'pluginSnapshot'> },
): Promise<PluginView> {
  return changeInstall(dependencies, actor, pluginId, async ({ manifest, install, stores }) => {
    const snapshot = await stores.pluginSnapshots.find(pluginId, snapshotId);
    if (!snapshot) throw new AppError({ code: 'not_found', message: 'There is no such snapshot.' });
    const { settings } = snapshot;
    requireValid(dependencies, actor.scope.tenantId, manifest, settings);
    await recordSettings(dependencies, actor, { manifest, install, settings, stores, rolledBackTo: snapshotId });
    return { ...install, settings };
  });
}

interface Change {
  readonly manifest: PluginManifest;
  readonly install: PluginInstall;
  readonly stores: PluginStores;
}

async function changeInstall(
  dependencies: PluginDependencies,
  actor: Actor,
  pluginId: string,
  change: (work: Change) => Promise<PluginInstall>,
): Promise<PluginView> {
  requirePermission(actor, 'plugin:install');
  const manifest = requireManifest(dependencies.catalogue, pluginId);
  return dependencies.unitOfWork.within(actor.scope, async (stores) => {
    const install = await stores.installs.lock(pluginId);
    if (!install) throw pluginNotInstalled(pluginId);
    const changed = await change({ manifest, install, stores });
    if (changed !== install) await stores.installs.install({ ...changed, updatedAt: dependencies.clock.now() });
    return viewPlugin(dependencies, actor, { manifest, stores });
  });
}

async function requireNeighbours(
  { catalogue }: PluginDependencies,
  { manifest, stores, isEnabled }: { manifest: PluginManifest; stores: PluginStores; isEnabled: boolean },
): Promise<void> {
  const enabled = new Set((await stores.installs.list()).filter((install) => install.isEnabled).map(({ pluginId }) => pluginId));
  const blocking = isEnabled
    ? (manifest.dependsOn ?? []).filter((id) => !enabled.has(id))
    : catalogue
        .dependentsOf(manifest.id)
        .map(({ id }) => id)
        .filter((id) => enabled.has(id));
  if (blocking.length === 0) return;
  const what = isEnabled ? 'needs plugins that are not enabled' : 'is needed by plugins that are enabled';
  throw new AppError({
    code: 'conflict',
    message: `${manifest.id} ${what}: ${blocking.join(', ')}.`,
    details: { plugins: blocking },
  });
}

/** The snapshot is the way back; the audit row says what changed, and of secrets only that they did. */
async function recordSettings(
  { clock }: PluginDependencies,
  actor: Actor,
  { manifest, install, settings, stores, rolledBackTo }: Change & { settings: PluginSettings; rolledBackTo?: string },
): Promise<void> {
  await stores.pluginSnapshots.add({
    id: newId('pluginSnapshot'),
    pluginId: manifest.id,
    version: install.version,
    settings,
    createdBy: actor.scope.userId,
    createdAt: clock.now(),
  });
  await stores.audit.record({
    type: 'plugin.configured',
    target: { kind: 'plugin', id: manifest.id, name: manifest.name.en },
    details: {
      before: { ...install.settings.values },
      after: { ...settings.values },
      secretsChanged: [...new Set([...Object.keys(install.settings.secrets), ...Object.keys(settings.secrets)])].filter(
        (name) => install.settings.secrets[name]?.box !== settings.secrets[name]?.box,
      ),
      ...(rolledBackTo && { rolledBackTo }),
    },
  });
}
