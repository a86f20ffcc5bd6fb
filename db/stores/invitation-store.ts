import { and, desc, eq, gt, isNull, lt } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Invitation, InvitationHashStore, InvitationStore } from '#lib/tenancy/index.ts';
import { appUser, invitation, invitationHash, role } from '../schema/index.ts';
import type { TenantBinding, Transaction } from '../tenant-binding.ts';

const inviter = alias(appUser, 'inviter');
const joiner = alias(appUser, 'joiner');

export function bindInvitationStore({ transaction, scope: { tenantId }, clock }: TenantBinding): InvitationStore {
  const select = () =>
    transaction
      .select({ invitation, role, inviter: inviter.name, joiner: joiner.name })
      .from(invitation)
      .innerJoin(role, and(eq(role.tenantId, invitation.tenantId), eq(role.id, invitation.roleId)))
      .innerJoin(inviter, eq(inviter.id, invitation.invitedBy))
      .leftJoin(joiner, eq(joiner.id, invitation.acceptedBy));
  return {
    async list({ before, limit }) {
      const rows = await select()
        .where(and(eq(invitation.tenantId, tenantId), before ? lt(invitation.id, before) : undefined))
        .orderBy(desc(invitation.id))
        .limit(limit);
      return rows.map(toInvitation);
    },
    async find(id) {
      const [row] = await select().where(and(eq(invitation.tenantId, tenantId), eq(invitation.id, id)));
      return row ? toInvitation(row) : null;
    },
    async add({ hash, ...added }) {
      await transaction.insert(invitation).values({ ...added, tenantId, createdAt: clock.now() });
      await transaction.insert(invitationHash).values({ hash, tenantId, invitationId: added.id });
    },
    async revoke(id, at) {
      await transaction
        .update(invitation)
        .set({ revokedAt: at })
        .where(and(eq(invitation.tenantId, tenantId), eq(invitation.id, id), isNull(invitation.revokedAt)));
    },
    async use(id, { userId, at }) {
      const rows = await transaction
        .update(invitation)
        .set({ acceptedAt: at, acceptedBy: userId })
        .where(
          and(
            eq(invitation.tenantId, tenantId),
            eq(invitation.id, id),
            isNull(invitation.acceptedAt),
            isNull(invitation.revokedAt),
            gt(invitation.expiresAt, at),
          ),
        )
        .returning({ id: invitation.id });
      return rows.length > 0;
    },
  };
}

export function bindInvitationHashStore({ transaction }: { transaction: Transaction }): InvitationHashStore {
  return {
    async find(hash) {
      const [row] = await transaction.select().from(invitationHash).where(eq(invitationHash.hash, hash));
      return row ? { tenantId: row.tenantId, invitationId: row.invitationId } : null;
    },
  };
}

function toInvitation(row: {
  invitation: typeof invitation.$inferSelect;
  role: typeof role.$inferSelect;
  inviter: string;
  joiner: string | null;
}): Invitation {
  const { id, note, invitedBy, createdAt, expiresAt, revokedAt, acceptedAt, acceptedBy } = row.invitation;
  return {
    id,
    role: { id: row.role.id, key: row.role.key, name: row.role.name, permissions: row.role.permissions },
    note,
    invitedBy: { userId: invitedBy, name: row.inviter },
    createdAt,
    expiresAt,
    revokedAt,
    acceptedAt,
    acceptedBy: acceptedBy === null ? null : { userId: acceptedBy, name: row.joiner ?? '' },
  };
}
