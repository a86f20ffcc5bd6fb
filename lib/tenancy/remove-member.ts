import type { Clock, Id, UnitOfWork } from '#lib/kernel/index.ts';
import { requireAnotherOwner } from './change-member.ts';
import { type Actor, auditedAs, requireOwnRights, requirePermission } from './domain/actor.ts';
import type { TenancyStores } from './ports.ts';
import { requireFound } from './require-found.ts';

/** Ends a membership and the member's API keys here. The account stays: it may belong to other tenants. Throws `rights_exceeded` and `last_owner`. */
export const removeMember =
  (deps: { clock: Clock; unitOfWork: UnitOfWork<Pick<TenancyStores, 'members' | 'apiKeys' | 'tenants' | 'rights' | 'audit'>> }) =>
  async (actor: Actor, userId: Id<'user'>): Promise<void> => {
    requirePermission(actor, 'member:manage');
    await deps.unitOfWork.within(actor.scope, async ({ members, apiKeys, tenants, rights, audit }) => {
      await tenants.lockRights(actor.scope.tenantId);
      const member = requireFound(await members.find(userId));
      requireOwnRights(actor, member.role.permissions);
      await requireAnotherOwner(members, member);
      await apiKeys.revokeAllOf(userId, deps.clock.now());
      await members.remove(userId);
      await rights.ring({ tenantId: actor.scope.tenantId, userId });
      await audit.record({
        type: 'member.removed',
        actor: auditedAs(actor),
        target: { kind: 'user', id: userId, name: member.email },
        details: { role: member.role.key },
      });
    });
  };
