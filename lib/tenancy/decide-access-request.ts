import type { z } from 'zod';
import { AppError, type Clock, type Id, type UnitOfWork } from '#lib/kernel/index.ts';
import { applyMemberChange } from './change-member.ts';
import type { AccessRequestView, decideAccessBody } from './contract.ts';
import { type Actor, auditedAs, requirePermission } from './domain/actor.ts';
import { toAccessRequestView } from './list-access-requests.ts';
import type { AccessRequest, TenancyStores } from './ports.ts';
import { requireFound } from './require-found.ts';

type Decision = z.infer<typeof decideAccessBody>;
type Stores = Pick<TenancyStores, 'accessRequests' | 'members' | 'roles' | 'tenants' | 'rights' | 'audit'>;

/**
 * Grants a request by giving its person a role that holds what they ask for, or refuses it with a reason: both take
 * `member:manage`. Whoever asked may withdraw it. Throws `already_decided`, `not_found` for what the actor may not see,
 * `rights_exceeded`, and `invalid_request` for a role that does not hold the permission.
 */
export const decideAccessRequest =
  (deps: { clock: Clock; unitOfWork: UnitOfWork<Stores> }) =>
  async (actor: Actor, id: Id<'accessRequest'>, decision: Decision): Promise<AccessRequestView> => {
    requirePermission(actor, 'tenant:read');
    return deps.unitOfWork.within(actor.scope, async (stores) => {
      const { accessRequests, tenants, audit } = stores;
      await tenants.lockRights(actor.scope.tenantId);
      const request = requireFound(await accessRequests.lock(id));
      if (decision.decision === 'withdraw') requireFound(request.requester.userId === actor.scope.userId ? request : null);
      else requirePermission(actor, 'member:manage');
      if (request.state !== 'OPEN') {
        throw new AppError({ code: 'already_decided', message: 'This request has been decided.', details: { state: request.state } });
      }
      if (decision.decision === 'grant') {
        await grant(stores, { actor, at: deps.clock.now(), request, roleKey: decision.roleKey });
      } else {
        const state = decision.decision === 'refuse' ? 'REFUSED' : 'WITHDRAWN';
        const note = decision.decision === 'refuse' ? decision.note : null;
        await accessRequests.decide(id, { state, by: actor.scope.userId, at: deps.clock.now(), note });
        await audit.record({
          type: decision.decision === 'refuse' ? 'access.refused' : 'access.withdrawn',
          actor: auditedAs(actor),
          target: { kind: 'user', id: request.requester.userId, name: request.requester.name },
          details: { requestId: id, permission: request.permission, note },
        });
      }
      return toAccessRequestView(requireFound(await accessRequests.find(id)), null);
    });
  };

/** Settles with it whatever else the person has asked for and now has. */
async function grant(
  stores: Stores,
  { actor, at, request, roleKey }: { actor: Actor; at: Date; request: AccessRequest; roleKey: string },
): Promise<void> {
  const member = requireFound(await stores.members.find(request.requester.userId));
  const role = await stores.roles.findByKey(roleKey);
  if (!role?.permissions.includes(request.permission)) {
    throw new AppError({
      code: 'invalid_request',
      message: `The role ${roleKey} does not hold ${request.permission}.`,
      details: { path: 'roleKey' },
    });
  }
  await applyMemberChange(stores, { actor, member, role, at });
}
