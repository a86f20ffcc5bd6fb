import { qaSim } from './catalogue/qa-sim/manifest.ts';
import type { PluginManifest } from './domain/manifest.ts';

/** Every plugin this build knows, in the order of the marketplace. A new one is a folder under `catalogue/` and a line here. */
export const CATALOGUE: readonly PluginManifest[] = [qaSim];
