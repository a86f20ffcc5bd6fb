import type { z } from 'zod';
import { newId, type UnitOfWork } from '#lib/kernel/index.ts';
import type { createRoleBody, RoleView } from './contract.ts';
import { type Actor, auditedAs, requireOwnRights, requirePermission } from './domain/actor.ts';
import { toRoleView } from './list-roles.ts';
import { parsePermissions } from './parse-permissions.ts';
import type { TenancyStores } from './ports.ts';

/** Throws `rights_exceeded`, `role_exists` (a role has that name) and `invalid_request` (there is no such permission). */
export const createRole =
  (deps: { unitOfWork: UnitOfWork<Pick<TenancyStores, 'roles' | 'audit'>> }) =>
  async (actor: Actor, role: z.infer<typeof createRoleBody>): Promise<RoleView> => {
    requirePermission(actor, 'role:manage');
    const permissions = parsePermissions(role.permissions);
    requireOwnRights(actor, permissions);
    const id = newId('role');
    const created = { id, key: roleKey(role.name, id), name: role.name, isBuiltIn: false, permissions };
    return deps.unitOfWork.within(actor.scope, async ({ roles, audit }) => {
      await roles.add(created);
      await audit.record({
        type: 'role.created',
        actor: auditedAs(actor),
        target: { kind: 'role', id, name: role.name },
        details: { key: created.key, permissions },
      });
      return toRoleView({ ...created, memberCount: 0 });
    });
  };

/** Readable where the name has Latin letters; unique in any case, since a name can be given up and taken again. */
function roleKey(name: string, id: string): string {
  const words = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40);
  return `${words || 'role'}-${id.slice(-6)}`;
}
