import type { CapabilityMetadata } from '#lib/capabilities/index.ts';
import { type Actor, hasPermission } from '#lib/tenancy/index.ts';

/** What the person may use now: active, and every permission it needs among theirs. Uninstalling widens nothing. */
export function visibleTo(actor: Actor, capabilities: readonly CapabilityMetadata[]): CapabilityMetadata[] {
  return capabilities.filter(
    (capability) =>
      capability.status === 'active' && capability.requiredPermissions.every((permission) => hasPermission(actor, permission)),
  );
}
