import type { EnabledPlugin, PluginAccess } from '#lib/capabilities/index.ts';
import type { ContextContributor } from '#lib/context/index.ts';
import type { Clock, TenantScope } from '#lib/kernel/index.ts';
import type { PluginManifest } from '#lib/plugins/index.ts';
import type { PresetBinding } from '#lib/supervisor/index.ts';

/**
 * What presets bring to a run. Under a plugin's preset: what the preset lists, and its plugin's agents and contributors. Under
 * the platform's: everything the person may use, and the agents and contributors of every plugin that is in use at that moment.
 */
export function createPresetBinder(parts: {
  catalogue: readonly PluginManifest[];
  clock: Clock;
  access: PluginAccess;
}): (scope: TenantScope, preset: string) => PresetBinding {
  const { catalogue, access, clock } = parts;
  return ({ tenantId }, key) => {
    const own = catalogue.find(({ presets }) => presets.some((preset) => preset.key === key));
    const preset = own?.presets.find((candidate) => candidate.key === key);
    // At once, since the registry asks in the same moment; what fails is told to whoever needs it.
    const reading = access.listEnabled(tenantId);
    reading.catch(() => undefined);
    return {
      capabilityIds: preset?.capabilityIds ?? null,
      pipeline: preset?.pipeline ?? null,
      agent: own?.agents.find(({ id }) => id === preset?.agentId) ?? null,
      async companions() {
        const enabled = await reading;
        const bringing = own ? [own] : catalogue.filter(({ id, requiresInstall }) => !requiresInstall || enabled.has(id));
        return {
          specialists: bringing.flatMap(({ agents }) => agents.filter(({ id }) => id !== preset?.agentId)),
          contributors: bringing.flatMap((manifest) => contributorsOf(manifest, clock, enabled.get(manifest.id))),
        };
      },
    };
  };
}

/** A plugin's contributors, with what the tenant has set for it. */
function contributorsOf({ contextContributors }: PluginManifest, clock: Clock, plugin: EnabledPlugin | undefined): ContextContributor[] {
  return contextContributors.map((contributor) => ({
    name: contributor.name,
    order: contributor.order,
    contribute: async (request) => {
      return contributor.contribute({ ...request, configuration: plugin?.openConfiguration() ?? {}, now: clock.now() });
    },
  }));
}
