import { type PermissionName, permissionName } from '#lib/tenancy/contract.ts';

/** The nouns of permissions, in the order of the list. */
export type PermissionNoun = PermissionName extends `${infer Noun}:${string}` ? Noun : never;

export interface PermissionGroup {
  noun: PermissionNoun;
  permissions: readonly PermissionName[];
}

/** Every permission, gathered by what it is about. */
export const PERMISSION_GROUPS: readonly PermissionGroup[] = group(permissionName.options);

function group(permissions: readonly PermissionName[]): PermissionGroup[] {
  const groups = new Map<PermissionNoun, PermissionName[]>();
  for (const permission of permissions) {
    const noun = nounOf(permission);
    groups.set(noun, [...(groups.get(noun) ?? []), permission]);
  }
  return [...groups].map(([noun, of]) => ({ noun, permissions: of }));
}

function nounOf(permission: PermissionName): PermissionNoun {
  return permission.slice(0, permission.lastIndexOf(':')) as PermissionNoun;
}

/** What a role gives that another does not, and the other way round. */
export function compareRights(from: readonly string[], to: readonly string[]): { gains: PermissionName[]; loses: PermissionName[] } {
  return {
    gains: permissionName.options.filter((permission) => to.includes(permission) && !from.includes(permission)),
    loses: permissionName.options.filter((permission) => from.includes(permission) && !to.includes(permission)),
  };
}
