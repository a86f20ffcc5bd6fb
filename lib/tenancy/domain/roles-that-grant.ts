import type { Permission } from './permission.ts';

interface RoleRights {
  readonly key: string;
  readonly name: string;
  readonly permissions: readonly string[];
}

/** A role that holds what is asked for, with what else changes for whoever has `current` now. */
export interface GrantingRole {
  readonly key: string;
  readonly name: string;
  readonly gains: readonly string[];
  readonly loses: readonly string[];
}

/**
 * The roles by which somebody gets a permission, the best first: one that takes nothing from them, then the one that gives the
 * least besides. Roles with a right that the giver lacks are none of them.
 */
export function rolesThatGrant(
  permission: Permission,
  { roles, current, giver }: { roles: readonly RoleRights[]; current: RoleRights; giver: ReadonlySet<Permission> },
): GrantingRole[] {
  return roles
    .filter((role) => role.permissions.includes(permission) && role.permissions.every((each) => (giver as ReadonlySet<string>).has(each)))
    .map(({ key, name, permissions }) => ({
      key,
      name,
      gains: permissions.filter((each) => !current.permissions.includes(each)),
      loses: current.permissions.filter((each) => !permissions.includes(each)),
    }))
    .toSorted((a, b) => a.loses.length - b.loses.length || a.gains.length - b.gains.length || a.key.localeCompare(b.key));
}
