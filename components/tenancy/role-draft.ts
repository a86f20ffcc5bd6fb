import type { PermissionName, RoleView } from '#lib/tenancy/contract.ts';
import { compareRights } from './permission-groups.ts';

/** A custom role while it is being edited. */
export interface RoleDraft {
  roleId: string;
  name: string;
  permissions: readonly string[];
}

export function draftOf(role: RoleView): RoleDraft {
  return { roleId: role.id, name: role.name, permissions: role.permissions };
}

export function toggled(draft: RoleDraft, permission: PermissionName): RoleDraft {
  const has = draft.permissions.includes(permission);
  return { ...draft, permissions: has ? draft.permissions.filter((other) => other !== permission) : [...draft.permissions, permission] };
}

/** What saving would change. */
export function changesOf(draft: RoleDraft, role: RoleView): { added: PermissionName[]; removed: PermissionName[]; isRenamed: boolean } {
  const { gains, loses } = compareRights(role.permissions, draft.permissions);
  return { added: gains, removed: loses, isRenamed: draft.name.trim() !== role.name };
}
