import type { Clock, Id, UnitOfWork } from '#lib/kernel/index.ts';
import { type Actor, auditedAs, requirePermission } from './domain/actor.ts';
import type { TenancyStores } from './ports.ts';
import { requireFound } from './require-found.ts';

/** Withdraws an invitation; its row stays for the record. One that is over already stays as it is. */
export const revokeInvitation =
  (deps: { clock: Clock; unitOfWork: UnitOfWork<Pick<TenancyStores, 'invitations' | 'audit'>> }) =>
  async (actor: Actor, id: Id<'invitation'>): Promise<void> => {
    requirePermission(actor, 'member:manage');
    await deps.unitOfWork.within(actor.scope, async ({ invitations, audit }) => {
      const invitation = requireFound(await invitations.find(id));
      if (invitation.revokedAt || invitation.acceptedAt) return;
      await invitations.revoke(id, deps.clock.now());
      await audit.record({
        type: 'invitation.revoked',
        actor: auditedAs(actor),
        target: { kind: 'invitation', id, name: invitation.note },
        details: { role: invitation.role.key },
      });
    });
  };
