import type { UnitOfWork } from '#lib/kernel/index.ts';
import type { InvitationPage, InvitationView, PageQuery } from './contract.ts';
import { type Actor, requirePermission } from './domain/actor.ts';
import type { Invitation, TenancyStores } from './ports.ts';
import { readCursor, toPage } from './read-cursor.ts';

/** Every invitation, those that are over included, newest first; never a link. */
export const listInvitations =
  (deps: { unitOfWork: UnitOfWork<Pick<TenancyStores, 'invitations'>> }) =>
  async (actor: Actor, query: PageQuery): Promise<InvitationPage> => {
    requirePermission(actor, 'member:manage');
    const before = readCursor('invitation', query.cursor);
    const rows = await deps.unitOfWork.within(actor.scope, ({ invitations }) => invitations.list({ before, limit: query.limit + 1 }));
    return toPage(rows, { limit: query.limit, cursorOf: (invitation) => invitation.id, view: toInvitationView });
  };

export function toInvitationView(invitation: Invitation): InvitationView {
  return {
    id: invitation.id,
    role: { key: invitation.role.key, name: invitation.role.name },
    note: invitation.note,
    invitedBy: invitation.invitedBy.name,
    createdAt: invitation.createdAt.toISOString(),
    expiresAt: invitation.expiresAt.toISOString(),
    revokedAt: invitation.revokedAt?.toISOString() ?? null,
    acceptedAt: invitation.acceptedAt?.toISOString() ?? null,
    acceptedBy: invitation.acceptedBy?.name ?? null,
  };
}
