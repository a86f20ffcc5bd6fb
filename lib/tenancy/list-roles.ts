import type { UnitOfWork } from '#lib/kernel/index.ts';
import type { RolePage, RoleView } from './contract.ts';
import { type Actor, requirePermission } from './domain/actor.ts';
import type { Role, TenancyStores } from './ports.ts';

/** Built-in roles first. A tenant has few roles: they come on one page. */
export const listRoles =
  (deps: { unitOfWork: UnitOfWork<Pick<TenancyStores, 'roles'>> }) =>
  async (actor: Actor): Promise<RolePage> => {
    requirePermission(actor, 'role:read');
    const roles = await deps.unitOfWork.within(actor.scope, ({ roles }) => roles.list());
    return { items: roles.map(toRoleView), nextCursor: null };
  };

export function toRoleView(role: Role): RoleView {
  return { ...role, permissions: [...role.permissions] };
}
