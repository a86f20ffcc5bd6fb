import { AppError, type Id } from '#lib/kernel/index.ts';
import type { Capability, CapabilityMetadata } from './domain/capability.ts';

/**
 * Which capabilities exist at run time, for the platform or for one tenant (requirements P-15, P-18, P-22). A tenant sees
 * the platform's and its own, never another tenant's.
 */
export interface CapabilityRegistry {
  /** Throws `conflict` when the id is taken in that place or by the platform. */
  register(capability: Capability, owner?: Id<'tenant'>): void;
  /** Own-property lookup by exact id: names may come from a model. */
  find(tenantId: Id<'tenant'>, capabilityId: string): Capability | undefined;
  list(tenantId: Id<'tenant'>): CapabilityMetadata[];
}

export function createCapabilityRegistry(): CapabilityRegistry {
  const ofPlatform = new Map<string, Capability>();
  const ofTenants = new Map<Id<'tenant'>, Map<string, Capability>>();
  return {
    register(capability, owner) {
      const { id } = capability.metadata;
      const place = owner ? (ofTenants.get(owner) ?? new Map<string, Capability>()) : ofPlatform;
      if (place.has(id) || ofPlatform.has(id)) throw new AppError({ code: 'conflict', message: `capability already registered: ${id}` });
      place.set(id, capability);
      if (owner) ofTenants.set(owner, place);
    },
    find: (tenantId, capabilityId) => ofTenants.get(tenantId)?.get(capabilityId) ?? ofPlatform.get(capabilityId),
    list: (tenantId) => [...ofPlatform.values(), ...(ofTenants.get(tenantId)?.values() ?? [])].map((capability) => capability.metadata),
  };
}
