import type { z } from 'zod';
import { AppError, type Clock, type Id, type UnitOfWork } from '#lib/kernel/index.ts';
import type { changeMemberBody, MemberView } from './contract.ts';
import { type Actor, auditedAs, requireOwnRights, requirePermission } from './domain/actor.ts';
import { toMemberView } from './list-members.ts';
import type { Member, MemberStore, TenancyStores } from './ports.ts';
import { requireFound } from './require-found.ts';

/**
 * Gives a member another role, or shuts them out for a time. It holds from the person's next request on, and their open
 * streams are closed. Throws `rights_exceeded` and `last_owner`.
 */
export const changeMember =
  (deps: { clock: Clock; unitOfWork: UnitOfWork<Pick<TenancyStores, 'members' | 'roles' | 'tenants' | 'rights' | 'audit'>> }) =>
  async (actor: Actor, userId: Id<'user'>, change: z.infer<typeof changeMemberBody>): Promise<MemberView> => {
    requirePermission(actor, 'member:manage');
    return deps.unitOfWork.within(actor.scope, async ({ members, roles, tenants, rights, audit }) => {
      await tenants.lockRights(actor.scope.tenantId);
      const member = requireFound(await members.find(userId));
      requireOwnRights(actor, member.role.permissions);
      const role = change.roleKey === undefined ? null : await roles.findByKey(change.roleKey);
      if (change.roleKey !== undefined && !role) {
        throw new AppError({ code: 'invalid_request', message: `There is no role ${change.roleKey}.`, details: { path: 'roleKey' } });
      }
      if (role) requireOwnRights(actor, role.permissions);
      const stays = (role?.key ?? member.role.key) === 'owner' && change.disabled !== true;
      if (!stays) await requireAnotherOwner(members, member);
      await members.update(userId, {
        roleId: role?.id,
        disabledAt: change.disabled === undefined ? undefined : change.disabled ? (member.disabledAt ?? deps.clock.now()) : null,
      });
      await rights.ring({ tenantId: actor.scope.tenantId, userId });
      await audit.record({
        type: 'member.changed',
        actor: auditedAs(actor),
        target: { kind: 'user', id: userId, name: member.email },
        details: {
          ...(role ? { role: { from: member.role.key, to: role.key } } : {}),
          ...(change.disabled === undefined ? {} : { disabled: { from: member.disabledAt !== null, to: change.disabled } }),
        },
      });
      return toMemberView(requireFound(await members.find(userId)));
    });
  };

/** Throws `last_owner` when nobody else could act as owner: a tenant never loses its last one. */
export async function requireAnotherOwner(members: MemberStore, member: Member): Promise<void> {
  if (member.role.key !== 'owner' || (await members.countOtherOwners(member.userId)) > 0) return;
  throw new AppError({ code: 'last_owner', message: 'This is the last owner. Make someone else an owner first.' });
}
