import { type Id, newId } from '#lib/kernel/index.ts';
import { BUILT_IN_ROLE_PERMISSIONS, BUILT_IN_ROLES, type BuiltInRole } from './role.ts';

const NAMES: { readonly [Role in BuiltInRole]: string } = {
  owner: 'Owner',
  admin: 'Admin',
  builder: 'Builder',
  auditor: 'Auditor',
  member: 'Member',
};

/** The rows a new tenant starts with. */
export function newBuiltInRoles(): { id: Id<'role'>; key: BuiltInRole; name: string; isBuiltIn: true; permissions: readonly string[] }[] {
  return BUILT_IN_ROLES.map((key) => ({
    id: newId('role'),
    key,
    name: NAMES[key],
    isBuiltIn: true,
    permissions: BUILT_IN_ROLE_PERMISSIONS[key],
  }));
}
