import { AppError } from '#lib/kernel/index.ts';
import type { PresetView } from '../contract.ts';

/** A preset as the platform or a plugin declares it. */
export type PresetEntry = Pick<PresetView, 'key' | 'name' | 'description' | 'plugin'>;

/** A plugin in a tenant, as far as presets depend on it. */
export interface InstalledPlugin {
  readonly pluginId: string;
  readonly isEnabled: boolean;
}

/** The presets of the platform. Plugins bring more; those of a plugin that is not installed are locked. */
export const PLATFORM_PRESETS: readonly PresetEntry[] = [
  {
    key: 'default',
    name: { en: 'General assistant', 'zh-CN': '通用助手' },
    description: {
      en: 'Plans your request and answers it with the capabilities of this workspace.',
      'zh-CN': '为你的请求制定计划，并用本工作区的能力作答。',
    },
    plugin: null,
  },
];

/** How a preset stands in a tenant that has these plugins (requirement P-22). Pure. */
export function toPresetView(entry: PresetEntry, installed: readonly InstalledPlugin[]): PresetView {
  const refusal = findRefusal(entry, installed);
  return { ...entry, locked: refusal && { reason: refusal.message, cause: refusal.cause, pluginId: refusal.pluginId } };
}

/**
 * Throws `unknown_preset` for a key that nothing declares, and `plugin_not_installed` with the exact text of requirement P-21
 * for one whose plugin the tenant does not have, or has disabled.
 */
export function requireOpenPreset(entries: readonly PresetEntry[], key: string, installed: readonly InstalledPlugin[]): void {
  const entry = entries.find((known) => known.key === key);
  if (!entry) {
    throw new AppError({
      code: 'unknown_preset',
      message: `unknown preset: ${key}`,
      details: { known: entries.map((known) => known.key) },
    });
  }
  const refusal = findRefusal(entry, installed);
  if (!refusal) return;
  const { message, cause, pluginId } = refusal;
  throw new AppError({ code: 'plugin_not_installed', message, details: { pluginId, cause, preset: key } });
}

function findRefusal({ plugin }: PresetEntry, installed: readonly InstalledPlugin[]) {
  if (!plugin) return null;
  const own = installed.find(({ pluginId }) => pluginId === plugin.id);
  if (own?.isEnabled) return null;
  return own
    ? ({ message: `plugin disabled: ${plugin.id}`, cause: 'disabled', pluginId: plugin.id } as const)
    : ({ message: `plugin not installed: ${plugin.id}`, cause: 'not-installed', pluginId: plugin.id } as const);
}
