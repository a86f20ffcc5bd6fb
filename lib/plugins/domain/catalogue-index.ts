import type { PluginManifest, PluginPreset } from './manifest.ts';

/** The catalogue, ready for looking things up by ids that come from outside. */
export interface CatalogueIndex {
  readonly manifests: readonly PluginManifest[];
  find(pluginId: string): PluginManifest | undefined;
  /** A preset with the plugin that brings it. */
  findPreset(key: string): { readonly manifest: PluginManifest; readonly preset: PluginPreset } | undefined;
  /** Plugins of the catalogue that need this one. */
  dependentsOf(pluginId: string): readonly PluginManifest[];
}

/** Throws an `Error` when two plugins share an id, a capability, a preset or an agent, or one depends on what is not there. */
export function indexCatalogue(manifests: readonly PluginManifest[]): CatalogueIndex {
  const byId = mapOnce('plugin', manifests, ({ id }) => [id]);
  mapOnce('capability', manifests, ({ capabilities }) => capabilities.map(({ metadata }) => metadata.id));
  mapOnce('agent', manifests, ({ agents }) => agents.map(({ id }) => id));
  const byPreset = mapOnce('preset', manifests, ({ presets }) => presets.map(({ key }) => key));
  for (const { id, dependsOn = [] } of manifests) {
    for (const needed of dependsOn) if (!byId.has(needed)) throw new Error(`${id} depends on the unknown plugin ${needed}`);
  }
  return {
    manifests,
    find: (pluginId) => byId.get(pluginId),
    findPreset(key) {
      const manifest = byPreset.get(key);
      const preset = manifest?.presets.find((candidate) => candidate.key === key);
      return manifest && preset && { manifest, preset };
    },
    dependentsOf: (pluginId) => manifests.filter(({ dependsOn }) => dependsOn?.includes(pluginId)),
  };
}

function mapOnce(thing: string, manifests: readonly PluginManifest[], keysOf: (manifest: PluginManifest) => string[]) {
  const map = new Map<string, PluginManifest>();
  for (const manifest of manifests) {
    for (const key of keysOf(manifest)) {
      const other = map.get(key);
      if (other) throw new Error(`${thing} ${key} is in ${other.id} and in ${manifest.id}`);
      map.set(key, manifest);
    }
  }
  return map;
}
