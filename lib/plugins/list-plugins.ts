import { type Actor, requirePermission } from '#lib/tenancy/index.ts';
import type { ListPlugins, PluginPage, PluginSummaryView } from './contract.ts';
import type { PluginInstall } from './domain/installation.ts';
import type { PluginDependencies } from './plugin-dependencies.ts';
import { toSummaryView, toWithdrawnView } from './plugin-view.ts';

/** The catalogue as it stands in the actor's workspace. Throws `permission_denied` without `plugin:read`. */
export async function listPlugins(
  { unitOfWork, catalogue, search }: PluginDependencies,
  actor: Actor,
  query: ListPlugins,
): Promise<PluginPage> {
  requirePermission(actor, 'plugin:read');
  const [installs, running] = await unitOfWork.within(actor.scope, async (stores) => [
    new Map((await stores.installs.list()).map((install) => [install.pluginId, install])),
    new Map((await stores.pluginOperations.listRunning()).map((operation) => [operation.pluginId, operation])),
  ]);
  const found = catalogue.manifests.filter((manifest) => search(manifest, query.q ?? ''));
  const known = found.map((manifest) =>
    toSummaryView(manifest, { install: installs.get(manifest.id) ?? null, operation: running.get(manifest.id) ?? null }),
  );
  return {
    items: [...known, ...withdrawn(catalogue.manifests, installs, query.q ?? '')].filter((plugin) => passes(plugin, query)),
    facets: {
      kinds: [...new Set(catalogue.manifests.map(({ kind }) => kind))].sort(),
      domains: [...new Set(catalogue.manifests.map(({ domain }) => domain))].sort(),
      permissions: [...new Set(catalogue.manifests.flatMap(({ permissions }) => permissions.map(({ permission }) => permission)))].sort(),
    },
    installedCount: installs.size,
  };
}

/** What is installed and in no catalogue any more: it does nothing, and can be removed. */
function withdrawn(
  manifests: PluginDependencies['catalogue']['manifests'],
  installs: ReadonlyMap<string, PluginInstall>,
  q: string,
): PluginSummaryView[] {
  const known = new Set(manifests.map(({ id }) => id));
  return [...installs.values()]
    .filter(({ pluginId }) => !known.has(pluginId) && pluginId.toLowerCase().includes(q.trim().toLowerCase()))
    .map(toWithdrawnView);
}

function passes(plugin: PluginSummaryView, { kind, domain, state, permission }: ListPlugins): boolean {
  if (kind && plugin.kind !== kind) return false;
  if (domain && plugin.domain !== domain) return false;
  if (permission && !plugin.permissions.some((declared) => declared.permission === permission)) return false;
  if (state === 'in-use') return plugin.installedVersion !== null || plugin.state === 'installing';
  return !state || plugin.state === state;
}
