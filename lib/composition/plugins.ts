import { randomUUID } from 'node:crypto';
import type { Database } from '#db/client.ts';
import type { TenantStores } from '#db/stores/index.ts';
import { createPluginAccessReader } from '#db/stores/plugin-access-reader.ts';
import { createAjvArgumentValidator } from '#lib/capabilities/adapters/ajv-argument-validator.ts';
import type { PluginAccess } from '#lib/capabilities/index.ts';
import { type Config, createSecretBox } from '#lib/config/index.ts';
import { type PresetEntry, requireOpenPreset } from '#lib/conversations/index.ts';
import type { Clock, Id, TenantScope, UnitOfWork } from '#lib/kernel/index.ts';
import { syllablesOf } from '#lib/plugins/adapters/pinyin.ts';
import {
  beginOperation,
  configurePlugin,
  createPluginSearch,
  decidePluginRequest,
  getPlugin,
  getPluginOperation,
  indexCatalogue,
  listPluginRequests,
  listPlugins,
  openSettings,
  type PluginHost,
  type PluginManifest,
  type PluginPreset,
  type QuietOperationReader,
  reconcileOperations,
  requestPlugin,
  rollBackSettings,
  switchPlugin,
  uninstallPlugin,
} from '#lib/plugins/index.ts';
import { log } from '#lib/telemetry/index.ts';
import { readOnceAMoment } from './read-once-a-moment.ts';

/** The marketplace: the catalogue, what tenants have of it, and what of that exists at run time. */
export function composePlugins(parts: {
  config: Config;
  clock: Clock;
  database: Database;
  unitOfWork: UnitOfWork<TenantStores>;
  manifests: readonly PluginManifest[];
}) {
  const { config, clock, unitOfWork } = parts;
  const catalogue = indexCatalogue(parts.manifests);
  const search = createPluginSearch(syllablesOf);
  const sealer = createSecretBox(config.secret);
  const readInstalls = createPluginAccessReader(parts.database.sql);
  const readEnabled = readOnceAMoment((tenantId: Id<'tenant'>) => readInstalls({ tenantId }));
  const access: PluginAccess = {
    async listEnabled(tenantId) {
      const enabled = await readEnabled(tenantId);
      return new Map(
        enabled.flatMap(({ pluginId, permissions, settings }) => {
          const manifest = catalogue.find(pluginId);
          if (!manifest) return [];
          return [[pluginId, { permissions, openConfiguration: () => openSettings({ sealer }, tenantId, manifest, settings) }]];
        }),
      );
    },
  };

  return {
    access,
    presets: catalogue.manifests.flatMap((manifest) => manifest.presets.map((preset) => toPresetEntry(manifest, preset))),
    /** For a run that is about to begin; see `DriveDependencies`. */
    requirePreset: (presets: readonly PresetEntry[]) => async (scope: TenantScope, key: string) => {
      const hasPlugin = presets.some((entry) => entry.key === key && entry.plugin !== null);
      const enabled = hasPlugin ? await readEnabled(scope.tenantId) : [];
      requireOpenPreset(
        presets,
        key,
        enabled.map(({ pluginId }) => ({ pluginId, isEnabled: true })),
      );
    },
    /** What takes the platform's host, which is made after `access`. */
    useCases(host: PluginHost) {
      const dependencies = {
        unitOfWork,
        catalogue,
        search,
        sealer,
        validator: createAjvArgumentValidator(),
        host,
        clock,
        log,
        newClaim: randomUUID,
      };
      return {
        listPlugins: listPlugins.bind(null, dependencies),
        getPlugin: getPlugin.bind(null, dependencies),
        installPlugin: beginOperation.bind(null, dependencies),
        getPluginOperation: getPluginOperation.bind(null, dependencies),
        switchPlugin: switchPlugin.bind(null, dependencies),
        configurePlugin: configurePlugin.bind(null, dependencies),
        rollBackPluginSettings: rollBackSettings.bind(null, dependencies),
        uninstallPlugin: uninstallPlugin.bind(null, dependencies),
        requestPlugin: requestPlugin.bind(null, dependencies),
        listPluginRequests: listPluginRequests.bind(null, dependencies),
        decidePluginRequest: decidePluginRequest.bind(null, dependencies),
        reconcilePlugins: (quiet: QuietOperationReader, quietMs: number) => reconcileOperations({ ...dependencies, quiet, quietMs }),
      };
    },
  };
}

/** A preset without a plugin to install is the platform's own. */
function toPresetEntry({ id, name, requiresInstall }: PluginManifest, preset: PluginPreset): PresetEntry {
  return {
    key: preset.key,
    name: { ...preset.name },
    description: { ...preset.description },
    plugin: requiresInstall ? { id, name: { ...name } } : null,
  };
}
