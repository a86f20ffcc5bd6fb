import type { z } from 'zod';
import { AppError, type Id, type UnitOfWork } from '#lib/kernel/index.ts';
import type { RoleView, updateRoleBody } from './contract.ts';
import { type Actor, auditedAs, requireOwnRights, requirePermission } from './domain/actor.ts';
import { toRoleView } from './list-roles.ts';
import { parsePermissions } from './parse-permissions.ts';
import type { Role, TenancyStores } from './ports.ts';
import { requireFound } from './require-found.ts';

/** Holds for every member with the role from their next request on. Throws `role_fixed`, `rights_exceeded`, `role_exists`. */
export const updateRole =
  (deps: { unitOfWork: UnitOfWork<Pick<TenancyStores, 'roles' | 'tenants' | 'rights' | 'audit'>> }) =>
  async (actor: Actor, id: Id<'role'>, change: z.infer<typeof updateRoleBody>): Promise<RoleView> => {
    requirePermission(actor, 'role:manage');
    return deps.unitOfWork.within(actor.scope, async ({ roles, tenants, rights, audit }) => {
      await tenants.lockRights(actor.scope.tenantId);
      const role = requireFound(await roles.find(id));
      requireCustom(role);
      requireOwnRights(actor, role.permissions);
      const permissions = change.permissions ? parsePermissions(change.permissions) : role.permissions;
      requireOwnRights(actor, permissions);
      const updated = { ...role, name: change.name ?? role.name, permissions };
      await roles.update(id, updated);
      await rights.ring({ tenantId: actor.scope.tenantId, userId: null });
      await audit.record({
        type: 'role.updated',
        actor: auditedAs(actor),
        target: { kind: 'role', id, name: updated.name },
        details: { from: { name: role.name, permissions: role.permissions }, to: { name: updated.name, permissions } },
      });
      return toRoleView(updated);
    });
  };

export function requireCustom(role: Role): void {
  if (!role.isBuiltIn) return;
  throw new AppError({ code: 'role_fixed', message: `The role ${role.name} is built in: make a custom role instead.` });
}
