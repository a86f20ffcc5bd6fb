export { type Actor, hasPermission, requirePermission } from './domain/actor.ts';
export { isPermission, PERMISSIONS, type Permission } from './domain/permission.ts';
export { BUILT_IN_ROLE_PERMISSIONS, BUILT_IN_ROLES, type BuiltInRole } from './domain/role.ts';
