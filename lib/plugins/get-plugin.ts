import type { Id } from '#lib/kernel/index.ts';
import { type Actor, hasPermission, requirePermission } from '#lib/tenancy/index.ts';
import type { PluginDependents, PluginOperationView, PluginRequestView, PluginView } from './contract.ts';
import { missingSettings } from './domain/configuration.ts';
import type { PluginInstall } from './domain/installation.ts';
import type { PluginManifest } from './domain/manifest.ts';
import { toOperationView } from './operation-view.ts';
import type { PluginDependencies } from './plugin-dependencies.ts';
import { toChangelogView, toSummaryView, toWithdrawnView } from './plugin-view.ts';
import type { PluginRequest, PluginStores, SettingsSnapshot } from './ports.ts';
import { unknownPlugin } from './require-manifest.ts';
import { NO_SETTINGS } from './settings.ts';

const USE_WINDOW_MS = 30 * 24 * 3_600_000;
const SNAPSHOT_LIMIT = 20;

/**
 * Everything about one plugin in the actor's workspace. What is set is shown to those who may install; to others it is
 * empty. Throws `permission_denied` without `plugin:read` and `not_found`.
 */
export async function getPlugin(dependencies: PluginDependencies, actor: Actor, pluginId: string): Promise<PluginView> {
  requirePermission(actor, 'plugin:read');
  const manifest = dependencies.catalogue.find(pluginId);
  return dependencies.unitOfWork.within(actor.scope, (stores) =>
    manifest ? viewPlugin(dependencies, actor, { manifest, stores }) : viewWithdrawn(dependencies, pluginId, stores),
  );
}

/** What is installed and in no catalogue any more. Throws `not_found` for what is not installed either. */
async function viewWithdrawn(
  { catalogue }: Pick<PluginDependencies, 'catalogue'>,
  pluginId: string,
  stores: PluginStores,
): Promise<PluginView> {
  const install = await stores.installs.find(pluginId);
  if (!install) throw unknownPlugin();
  const names = await stores.pluginUsage.namesOf([install.installedBy]);
  const summary = toWithdrawnView(install);
  return {
    ...summary,
    overview: summary.description,
    keywords: [],
    changelog: [],
    dependsOn: [],
    capabilities: [],
    presets: [],
    agents: [],
    documents: [],
    configurationSchema: null,
    configuration: { values: {}, secretHints: {} },
    missingSettings: [],
    snapshots: [],
    install: { installedBy: toPerson(install.installedBy, names), installedAt: install.installedAt.toISOString() },
    operation: null,
    dependents: await countDependents({ catalogue, stores }, { pluginId, install }),
    ownRequest: null,
  };
}

/** The same from within a transaction that has changed something. */
export async function viewPlugin(
  { catalogue, clock }: Pick<PluginDependencies, 'catalogue' | 'clock'>,
  actor: Actor,
  { manifest, stores }: { manifest: PluginManifest; stores: PluginStores },
): Promise<PluginView> {
  const { installs, pluginOperations, pluginSnapshots, pluginRequests, pluginUsage } = stores;
  const install = await installs.find(manifest.id);
  const operation = await pluginOperations.findLatest(manifest.id);
  const installedIds = new Set(await installs.listInstalledPluginIds());
  const mayInstall = hasPermission(actor, 'plugin:install');
  const snapshots = mayInstall && install ? await pluginSnapshots.list(manifest.id, SNAPSHOT_LIMIT) : [];
  const own = (await pluginRequests.list({ ofUser: actor.scope.userId, state: 'OPEN' })).find(({ pluginId }) => pluginId === manifest.id);
  const names = await pluginUsage.namesOf([
    ...snapshots.map(({ createdBy }) => createdBy),
    ...(install ? [install.installedBy] : []),
    ...(own ? [own.userId] : []),
  ]);
  const calls = await pluginUsage.countCalls(
    manifest.capabilities.map(({ metadata }) => metadata.id),
    new Date(clock.now().getTime() - USE_WINDOW_MS),
  );
  const settings = install?.settings ?? NO_SETTINGS;
  return {
    ...toSummaryView(manifest, { install, operation }),
    overview: { ...(manifest.overview ?? manifest.description) },
    keywords: [...manifest.keywords],
    changelog: toChangelogView(manifest),
    dependsOn: (manifest.dependsOn ?? []).map((id) => ({
      id,
      name: { ...(catalogue.find(id)?.name ?? { en: id, 'zh-CN': id }) },
      isInstalled: installedIds.has(id),
    })),
    capabilities: manifest.capabilities.map(({ metadata }) => ({
      id: metadata.id,
      title: { ...metadata.title },
      description: { ...metadata.description },
      sideEffect: metadata.sideEffect,
      permissions: [...metadata.requiredPermissions],
      callCount: calls.get(metadata.id) ?? 0,
    })),
    presets: manifest.presets.map(({ key, name, description }) => ({ key, name: { ...name }, description: { ...description } })),
    agents: manifest.agents.map(({ id, title, description }) => ({ id, title: { ...title }, description })),
    documents: manifest.documents.map(({ key, title, language }) => ({ key, title, language })),
    configurationSchema: manifest.configurationSchema ? { ...manifest.configurationSchema } : null,
    configuration: mayInstall
      ? {
          values: { ...settings.values },
          secretHints: Object.fromEntries(Object.entries(settings.secrets).map(([name, { hint }]) => [name, hint])),
        }
      : { values: {}, secretHints: {} },
    missingSettings: install ? missingSettings(manifest, settings) : [],
    snapshots: snapshots.map((snapshot) => toSnapshotView(snapshot, names)),
    install: install && {
      installedBy: toPerson(install.installedBy, names),
      installedAt: install.installedAt.toISOString(),
    },
    operation: operation && toOperationView(operation),
    dependents: await countDependents({ catalogue, stores }, { pluginId: manifest.id, install }),
    ownRequest: own ? toRequestView(own, manifest, names) : null,
  };
}

/** What the removal of a plugin would touch in the tenant of the transaction. */
export async function countDependents(
  { catalogue, stores }: { catalogue: PluginDependencies['catalogue']; stores: PluginStores },
  { pluginId, install }: { pluginId: string; install: PluginInstall | null },
): Promise<PluginDependents> {
  const presets = catalogue.find(pluginId)?.presets.map(({ key }) => key) ?? [];
  const installed = new Set(await stores.installs.listInstalledPluginIds());
  let documents = 0;
  for (const { documentId, version } of install?.documents ?? []) {
    if ((await stores.documents.find(documentId))?.version === version) documents += 1;
  }
  return {
    ...(await stores.pluginUsage.countSessions(presets)),
    plugins: catalogue
      .dependentsOf(pluginId)
      .filter(({ id }) => installed.has(id))
      .map(({ id, name }) => ({ id, name: { ...name } })),
    documents,
  };
}

/** Throws `permission_denied` without `plugin:read` and `not_found`. */
export async function getPluginOperation(
  { unitOfWork }: PluginDependencies,
  actor: Actor,
  id: Id<'pluginOperation'>,
): Promise<PluginOperationView> {
  requirePermission(actor, 'plugin:read');
  const operation = await unitOfWork.within(actor.scope, ({ pluginOperations }) => pluginOperations.find(id));
  if (!operation) throw unknownPlugin();
  return toOperationView(operation);
}

/** Pure. */
export function toRequestView(
  request: PluginRequest,
  manifest: Pick<PluginManifest, 'name'> | undefined,
  names: ReadonlyMap<Id<'user'>, string>,
): PluginRequestView {
  const { id, pluginId, userId, reason, state, decidedBy, decidedAt, note, createdAt } = request;
  return {
    id,
    pluginId,
    pluginName: { ...(manifest?.name ?? { en: pluginId, 'zh-CN': pluginId }) },
    requester: toPerson(userId, names),
    reason,
    state,
    decidedBy: decidedBy && toPerson(decidedBy, names),
    decidedAt: decidedAt?.toISOString() ?? null,
    note,
    createdAt: createdAt.toISOString(),
  };
}

function toSnapshotView({ id, version, settings, createdBy, createdAt }: SettingsSnapshot, names: ReadonlyMap<Id<'user'>, string>) {
  return {
    id,
    version,
    values: { ...settings.values },
    secretNames: Object.keys(settings.secrets),
    createdBy: toPerson(createdBy, names),
    createdAt: createdAt.toISOString(),
  };
}

function toPerson(id: Id<'user'>, names: ReadonlyMap<Id<'user'>, string>): { id: string; name: string } {
  return { id, name: names.get(id) ?? id };
}
