import type { z } from 'zod';
import { AppError, type Clock, newId, type UnitOfWork } from '#lib/kernel/index.ts';
import type { AccessRequestView, requestAccessBody } from './contract.ts';
import { type Actor, auditedAs, requirePermission } from './domain/actor.ts';
import { toAccessRequestView } from './list-access-requests.ts';
import type { TenancyStores } from './ports.ts';
import { requireFound } from './require-found.ts';

/**
 * Asks those who manage members for a permission that one's role lacks. Throws `conflict` when the role has it, or when it is
 * asked for already.
 */
export const requestAccess =
  (deps: { clock: Clock; unitOfWork: UnitOfWork<Pick<TenancyStores, 'accessRequests' | 'members' | 'audit'>> }) =>
  async (actor: Actor, { permission, reason }: z.infer<typeof requestAccessBody>): Promise<AccessRequestView> => {
    requirePermission(actor, 'tenant:read');
    const { userId } = actor.scope;
    return deps.unitOfWork.within(actor.scope, async ({ accessRequests, members, audit }) => {
      // The person's role, not what an API key has of it.
      const member = requireFound(await members.find(userId));
      if (member.role.permissions.includes(permission)) {
        throw new AppError({ code: 'conflict', message: `Your role has the permission ${permission}.` });
      }
      const id = newId('accessRequest');
      await accessRequests.add({ id, userId, permission, reason, createdAt: deps.clock.now() });
      await audit.record({
        type: 'access.requested',
        actor: auditedAs(actor),
        target: { kind: 'permission', id: permission },
        details: { requestId: id, role: member.role.key, reason },
      });
      return toAccessRequestView(requireFound(await accessRequests.find(id)), null);
    });
  };
