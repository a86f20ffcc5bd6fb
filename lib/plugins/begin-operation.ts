import { AppError, newId } from '#lib/kernel/index.ts';
import { type Actor, requirePermission } from '#lib/tenancy/index.ts';
import type { InstallPlugin, PluginOperationView } from './contract.ts';
import type { PluginInstall } from './domain/installation.ts';
import type { PluginManifest } from './domain/manifest.ts';
import type { PluginOperation } from './domain/operation.ts';
import { driveOperation } from './drive-operation.ts';
import { toOperationView } from './operation-view.ts';
import type { PluginDependencies } from './plugin-dependencies.ts';
import type { OperationClaim } from './ports.ts';
import { requireManifest } from './require-manifest.ts';
import { acceptSettings, NO_SETTINGS } from './settings.ts';

export interface BeginOperation extends PluginDependencies {
  readonly newClaim: () => OperationClaim;
}

/**
 * Records an installation, or an upgrade where another version is installed, and starts on its stages; the answer does not
 * wait for them. Throws `permission_denied` without `plugin:install`, `not_found`, `conflict` when the version or the
 * permissions are not those that were consented to, when this version is installed, or when another operation of the plugin
 * is running, and `invalid_request` for settings that do not fit.
 */
export async function beginOperation(
  dependencies: BeginOperation,
  actor: Actor,
  pluginId: string,
  body: InstallPlugin,
): Promise<PluginOperationView> {
  requirePermission(actor, 'plugin:install');
  const manifest = requireManifest(dependencies.catalogue, pluginId);
  requireConsent(manifest, body);
  const claim = dependencies.newClaim();
  const operation = await dependencies.unitOfWork.within(actor.scope, async ({ installs, pluginOperations, audit }) => {
    const installed = await installs.lock(pluginId);
    requireNews(manifest, installed);
    const begun = toOperation(dependencies, actor, { manifest, installed, body });
    await pluginOperations.begin(begun, claim);
    await audit.record({
      type: 'plugin.install-started',
      target: { kind: 'plugin', id: pluginId, name: manifest.name.en },
      details: { operationId: begun.id, kind: begun.kind, version: begun.version, permissions: [...begun.permissions] },
    });
    return begun;
  });
  // Whoever looks at it, this request or the reconciler, finds it under way; a failure is in its row.
  void driveOperation(dependencies, { scope: actor.scope, id: operation.id, claim });
  return toOperationView(operation);
}

/** What was shown is what is consented to: a catalogue that changed meanwhile is shown anew. */
function requireConsent(manifest: PluginManifest, { version, permissions }: InstallPlugin): void {
  const consented = new Set(permissions);
  const declared = manifest.permissions.map(({ permission }) => permission);
  if (version === manifest.version && declared.length === consented.size && declared.every((permission) => consented.has(permission)))
    return;
  throw new AppError({
    code: 'conflict',
    message: `${manifest.id} ${manifest.version} asks for ${declared.join(', ') || 'no permission'}. Consent to exactly these.`,
    details: { version: manifest.version, permissions: declared },
  });
}

function requireNews(manifest: PluginManifest, installed: PluginInstall | null): void {
  if (!manifest.requiresInstall) throw new AppError({ code: 'conflict', message: `${manifest.id} is part of every workspace.` });
  const consented = new Set(installed?.permissions);
  if (installed?.version !== manifest.version || manifest.permissions.some(({ permission }) => !consented.has(permission))) return;
  throw new AppError({ code: 'conflict', message: `${manifest.id} ${manifest.version} is installed already.` });
}

function toOperation(
  dependencies: BeginOperation,
  actor: Actor,
  { manifest, installed, body }: { manifest: PluginManifest; installed: PluginInstall | null; body: InstallPlugin },
): PluginOperation {
  const { tenantId, userId } = actor.scope;
  const before = installed?.settings ?? NO_SETTINGS;
  // An upgrade that names no settings keeps those there are.
  const sent = installed && Object.keys(body.configuration).length === 0 ? before.values : body.configuration;
  return {
    id: newId('pluginOperation'),
    pluginId: manifest.id,
    kind: installed ? 'upgrade' : 'install',
    state: 'RUNNING',
    version: manifest.version,
    permissions: manifest.permissions.map(({ permission }) => permission),
    settings: acceptSettings(dependencies, { tenantId, manifest, before, sent }),
    done: [],
    documents: [],
    error: null,
    requester: { userId, ...(actor.apiKeyId && { apiKeyId: actor.apiKeyId }) },
    createdAt: dependencies.clock.now(),
    endedAt: null,
  };
}
