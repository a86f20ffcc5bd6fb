import type { Id, UnitOfWork } from '#lib/kernel/index.ts';
import { type Actor, auditedAs, requireOwnRights, requirePermission } from './domain/actor.ts';
import type { TenancyStores } from './ports.ts';
import { requireFound } from './require-found.ts';
import { requireCustom } from './update-role.ts';

/** Throws `role_fixed`, `rights_exceeded`, and `role_in_use` while a member has it. */
export const deleteRole =
  (deps: { unitOfWork: UnitOfWork<Pick<TenancyStores, 'roles' | 'audit'>> }) =>
  async (actor: Actor, id: Id<'role'>): Promise<void> => {
    requirePermission(actor, 'role:manage');
    await deps.unitOfWork.within(actor.scope, async ({ roles, audit }) => {
      const role = requireFound(await roles.find(id));
      requireCustom(role);
      requireOwnRights(actor, role.permissions);
      await roles.remove(id);
      await audit.record({
        type: 'role.deleted',
        actor: auditedAs(actor),
        target: { kind: 'role', id, name: role.name },
        details: { key: role.key },
      });
    });
  };
