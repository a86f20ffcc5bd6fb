import type { Permission } from '#lib/tenancy/index.ts';
import type { Capability } from './capability.ts';

/** Whether someone may have a capability called, and by which rule not. */
export type AccessDecision =
  | { readonly isAllowed: true }
  | { readonly isAllowed: false; readonly rule: 'unknown' | 'no-handler' }
  | { readonly isAllowed: false; readonly rule: 'lacking'; readonly lacking: readonly Permission[] };

/**
 * The gates that depend on who asks and for what, and not on the arguments: lookup, permission, handler, in the order that
 * `design.md` fixes. The invoker decides by it, and so does the page that explains why.
 */
export function decideAccess(
  capability: Pick<Capability, 'metadata' | 'handler'> | undefined,
  permissions: ReadonlySet<Permission>,
): AccessDecision {
  if (!capability || capability.metadata.status === 'disabled') return { isAllowed: false, rule: 'unknown' };
  const lacking = capability.metadata.requiredPermissions.filter((permission) => !permissions.has(permission));
  if (lacking.length > 0) return { isAllowed: false, rule: 'lacking', lacking };
  if (!capability.handler) return { isAllowed: false, rule: 'no-handler' };
  return { isAllowed: true };
}
