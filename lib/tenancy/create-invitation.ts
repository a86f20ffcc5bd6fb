import type { z } from 'zod';
import { AppError, type Clock, newId, type UnitOfWork } from '#lib/kernel/index.ts';
import type { CreateInvitationResult, createInvitationBody } from './contract.ts';
import { type Actor, auditedAs, requireOwnRights, requirePermission } from './domain/actor.ts';
import { toInvitationView } from './list-invitations.ts';
import type { InvitationMint, TenancyStores } from './ports.ts';
import { requireFound } from './require-found.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Makes a link by which one person becomes a member with a role, once and within its time. The link is in the answer only:
 * what is stored is its hash. Throws `rights_exceeded`, `invalid_request`.
 */
export const createInvitation =
  (deps: {
    clock: Clock;
    unitOfWork: UnitOfWork<Pick<TenancyStores, 'invitations' | 'roles' | 'audit'>>;
    invitationMint: InvitationMint;
    publicOrigin: string;
  }) =>
  async (actor: Actor, request: z.infer<typeof createInvitationBody>): Promise<CreateInvitationResult> => {
    requirePermission(actor, 'member:manage');
    const id = newId('invitation');
    const { token, hash } = deps.invitationMint.mint();
    const expiresAt = new Date(deps.clock.now().getTime() + request.expiresInDays * DAY_MS);
    return deps.unitOfWork.within(actor.scope, async ({ invitations, roles, audit }) => {
      const role = await roles.findByKey(request.roleKey);
      if (!role)
        throw new AppError({ code: 'invalid_request', message: `There is no role ${request.roleKey}.`, details: { path: 'roleKey' } });
      requireOwnRights(actor, role.permissions);
      await invitations.add({ id, hash, roleId: role.id, note: request.note, invitedBy: actor.scope.userId, expiresAt });
      await audit.record({
        type: 'invitation.created',
        actor: auditedAs(actor),
        target: { kind: 'invitation', id, name: request.note },
        details: { role: role.key, expiresAt: expiresAt.toISOString() },
      });
      return { url: invitationUrl(deps.publicOrigin, token), invitation: toInvitationView(requireFound(await invitations.find(id))) };
    });
  };

export function invitationUrl(origin: string, token: string): string {
  return `${origin}/invite/${token}`;
}
