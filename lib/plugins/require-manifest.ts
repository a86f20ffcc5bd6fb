import { AppError } from '#lib/kernel/index.ts';
import type { CatalogueIndex } from './domain/catalogue-index.ts';
import type { PluginManifest } from './domain/manifest.ts';

/** Throws `not_found` for a plugin that is not in the catalogue. */
export function requireManifest(catalogue: CatalogueIndex, pluginId: string): PluginManifest {
  const manifest = catalogue.find(pluginId);
  if (!manifest) throw unknownPlugin();
  return manifest;
}

export function unknownPlugin(): AppError {
  return new AppError({ code: 'not_found', message: 'There is no such plugin.' });
}

/** The exact text of requirement P-21, for whatever needs a plugin that a workspace does not have. */
export function pluginNotInstalled(pluginId: string): AppError {
  return new AppError({ code: 'plugin_not_installed', message: `plugin not installed: ${pluginId}`, details: { pluginId } });
}
