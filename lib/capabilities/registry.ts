import { AppError, type Id, type JsonObject } from '#lib/kernel/index.ts';
import type { Capability, CapabilityMetadata } from './domain/capability.ts';
import type { CapabilitySource, EnabledPlugin, PluginAccess } from './ports.ts';

/** A capability that a tenant may call now, with what it has set for the plugin that brings it. */
export interface UsableCapability extends Capability {
  readonly configuration: JsonObject;
}

/** Who brings a capability; absent: the platform, to every tenant. */
export type CapabilityOwner = { readonly tenantId: Id<'tenant'> } | { readonly pluginId: string };

/**
 * Which capabilities exist at run time, for the platform or for one tenant (requirements P-15, P-18, P-22). A tenant sees
 * the platform's, those of the plugins it has installed and enabled, and its own; never another tenant's. Discovery, planner,
 * model tools and invoker all ask here, each time anew: what was uninstalled is gone for the next call.
 */
export interface CapabilityRegistry {
  /** Throws `conflict` when the id is taken in that place, by the platform or by a plugin. */
  register(capability: Capability, owner?: CapabilityOwner): void;
  /** Own-property lookup by exact id: names may come from a model. */
  find(tenantId: Id<'tenant'>, capabilityId: string): Promise<UsableCapability | undefined>;
  list(tenantId: Id<'tenant'>): Promise<CapabilityMetadata[]>;
  /** What is known of a capability whether or not it can be called now: for the record of calls that were made. */
  describe(tenantId: Id<'tenant'>, capabilityId: string): CapabilityMetadata | undefined;
  /** Whether the platform or a plugin has it: what comes from outside under the same id does not exist beside it. */
  isOwn(capabilityId: string): boolean;
  /** First words of the ids that the platform and plugins have: `time` of `time.now`. */
  listOwnPrefixes(): ReadonlySet<string>;
}

interface Entry {
  readonly capability: Capability;
  /** null: the platform's. */
  readonly pluginId: string | null;
}

export function createCapabilityRegistry(
  plugins: PluginAccess = NO_PLUGINS,
  sources: readonly CapabilitySource[] = [],
): CapabilityRegistry {
  const ofAll = new Map<string, Entry>();
  const ofTenants = new Map<Id<'tenant'>, Map<string, Capability>>();
  return {
    register(capability, owner) {
      const { id } = capability.metadata;
      const ofOwner = owner && 'tenantId' in owner ? (ofTenants.get(owner.tenantId) ?? new Map<string, Capability>()) : null;
      if (ofAll.has(id) || ofOwner?.has(id)) throw new AppError({ code: 'conflict', message: `capability already registered: ${id}` });
      if (!owner || 'pluginId' in owner) ofAll.set(id, { capability, pluginId: owner?.pluginId ?? null });
      else ofTenants.set(owner.tenantId, (ofOwner ?? new Map<string, Capability>()).set(id, capability));
    },
    async find(tenantId, capabilityId) {
      const own = ofTenants.get(tenantId)?.get(capabilityId);
      if (own) return { ...own, configuration: {} };
      const entry = ofAll.get(capabilityId);
      if (!entry) return findOutside(tenantId, capabilityId);
      if (entry.pluginId === null) return { ...entry.capability, configuration: {} };
      const plugin = (await plugins.listEnabled(tenantId)).get(entry.pluginId);
      return plugin && isGranted(entry, plugin) ? { ...entry.capability, configuration: plugin.openConfiguration() } : undefined;
    },
    async list(tenantId) {
      const hasPlugins = [...ofAll.values()].some(({ pluginId }) => pluginId !== null);
      const enabled = hasPlugins ? await plugins.listEnabled(tenantId) : new Map<string, EnabledPlugin>();
      const usable = [...ofAll.values()].filter((entry) => entry.pluginId === null || isGranted(entry, enabled.get(entry.pluginId)));
      const all = [...usable.map(({ capability }) => capability), ...(ofTenants.get(tenantId)?.values() ?? [])];
      const outside = (await Promise.all(sources.map((source) => source.list(tenantId)))).flat();
      return [...all.map(({ metadata }) => metadata), ...outside.filter(({ id }) => !ofAll.has(id))];
    },
    describe(tenantId, capabilityId) {
      const own = ofTenants.get(tenantId)?.get(capabilityId) ?? ofAll.get(capabilityId)?.capability;
      return own
        ? own.metadata
        : sources.map((source) => source.describe(tenantId, capabilityId)).find((metadata) => metadata !== undefined);
    },
    isOwn: (capabilityId) => ofAll.has(capabilityId),
    listOwnPrefixes: () => new Set([...ofAll.keys()].map((id) => id.split('.')[0] ?? id)),
  };

  async function findOutside(tenantId: Id<'tenant'>, capabilityId: string): Promise<UsableCapability | undefined> {
    for (const source of sources) {
      const capability = await source.find(tenantId, capabilityId);
      if (capability) return { ...capability, configuration: {} };
    }
    return undefined;
  }
}

/** Only what was consented to: an upgrade whose new permissions nobody has seen widens nothing. */
function isGranted({ capability }: Entry, plugin: EnabledPlugin | undefined): boolean {
  return plugin !== undefined && capability.metadata.requiredPermissions.every((permission) => plugin.permissions.has(permission));
}

/** Where there is no marketplace, no plugin is installed. */
const NO_PLUGINS: PluginAccess = { listEnabled: async () => new Map() };
