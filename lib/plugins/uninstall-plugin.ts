import { AppError } from '#lib/kernel/index.ts';
import { type Actor, requirePermission } from '#lib/tenancy/index.ts';
import type { PluginDependents } from './contract.ts';
import { removeUnchanged } from './drive-operation.ts';
import { countDependents } from './get-plugin.ts';
import type { PluginDependencies } from './plugin-dependencies.ts';
import { pluginNotInstalled, unknownPlugin } from './require-manifest.ts';

/**
 * Takes a plugin out in one transaction (requirement P-22): from this commit on its capabilities and presets do not exist
 * here, for runs that go on too, and its documents are gone unless somebody has changed them. Sessions stay readable and
 * refuse messages. Throws `permission_denied` without `plugin:install`, `not_found` and `plugin_not_installed`, `conflict`
 * while an installed plugin needs it or it is being installed, and `confirmation_required` with `details.dependents` unless
 * `confirm` is its id where sessions or documents hang on it.
 */
export async function uninstallPlugin(
  { unitOfWork, catalogue }: PluginDependencies,
  actor: Actor,
  pluginId: string,
  { confirm }: { confirm: string | null },
): Promise<void> {
  requirePermission(actor, 'plugin:install');
  await unitOfWork.within(actor.scope, async (stores) => {
    const install = await stores.installs.lock(pluginId);
    if (!install) throw catalogue.find(pluginId) ? pluginNotInstalled(pluginId) : unknownPlugin();
    const latest = await stores.pluginOperations.findLatest(pluginId);
    if (latest?.state === 'RUNNING') throw new AppError({ code: 'conflict', message: `${pluginId} is being upgraded.` });
    const dependents = await countDependents({ catalogue, stores }, { pluginId, install });
    requireFree(pluginId, dependents);
    if (isDependedOn(dependents) && confirm !== pluginId) {
      throw new AppError({
        code: 'confirmation_required',
        message: `Sessions or documents depend on ${pluginId}. Confirm with its id.`,
        details: { dependents },
      });
    }
    await removeUnchanged(stores, install.documents, pluginId);
    await stores.installs.remove(pluginId);
    await stores.audit.record({
      type: 'plugin.uninstalled',
      target: { kind: 'plugin', id: pluginId, name: catalogue.find(pluginId)?.name.en ?? pluginId },
      details: {
        version: install.version,
        sessions: dependents.sessions.reduce((sum, { count }) => sum + count, 0),
        openRuns: dependents.openRuns,
        documents: dependents.documents,
      },
    });
  });
}

function requireFree(pluginId: string, { plugins }: PluginDependents): void {
  if (plugins.length === 0) return;
  throw new AppError({
    code: 'conflict',
    message: `Other plugins need ${pluginId}: ${plugins.map(({ id }) => id).join(', ')}. Uninstall them first.`,
    details: { plugins: plugins.map(({ id }) => id) },
  });
}

function isDependedOn({ sessions, openRuns, documents }: PluginDependents): boolean {
  return sessions.length > 0 || openRuns > 0 || documents > 0;
}
