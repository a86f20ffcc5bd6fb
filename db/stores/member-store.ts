import { and, asc, count, eq, gt, isNull, ne, sql } from 'drizzle-orm';
import { AppError } from '#lib/kernel/index.ts';
import type { Member, MemberStore } from '#lib/tenancy/index.ts';
import { appUser, role, tenantMember } from '../schema/index.ts';
import type { TenantBinding } from '../tenant-binding.ts';
import { orIfTaken } from './database-error.ts';
import { isPartOfNameOrAddress } from './user-store.ts';

export function bindMemberStore({ transaction, scope: { tenantId } }: TenantBinding): MemberStore {
  const select = () =>
    transaction
      .select({ member: tenantMember, user: { email: appUser.email, name: appUser.name }, role })
      .from(tenantMember)
      .innerJoin(appUser, eq(appUser.id, tenantMember.userId))
      .innerJoin(role, and(eq(role.tenantId, tenantMember.tenantId), eq(role.id, tenantMember.roleId)));
  return {
    async list({ after, limit, text, roleKey }) {
      const rows = await select()
        .where(
          and(
            eq(tenantMember.tenantId, tenantId),
            after ? gt(tenantMember.userId, after) : undefined,
            roleKey === undefined ? undefined : eq(role.key, roleKey),
            text === undefined ? undefined : isPartOfNameOrAddress(text),
          ),
        )
        .orderBy(asc(tenantMember.userId))
        .limit(limit);
      return rows.map(toMember);
    },
    async find(userId) {
      const [row] = await select().where(and(eq(tenantMember.tenantId, tenantId), eq(tenantMember.userId, userId)));
      return row ? toMember(row) : null;
    },
    async listHolders(permission, limit) {
      const rows = await select()
        .where(
          and(
            eq(tenantMember.tenantId, tenantId),
            isNull(tenantMember.disabledAt),
            isNull(appUser.disabledAt),
            sql`${permission} = any (${role.permissions})`,
          ),
        )
        .orderBy(asc(tenantMember.userId))
        .limit(limit);
      return rows.map(toMember);
    },
    async add(member) {
      await orIfTaken(
        transaction.insert(tenantMember).values({ ...member, tenantId }),
        () => new AppError({ code: 'member_exists', message: 'This person is a member already.' }),
      );
    },
    async update(userId, { roleId, disabledAt, isFromGroup = false }) {
      if (roleId === undefined && disabledAt === undefined) return;
      await transaction
        .update(tenantMember)
        .set({ ...(roleId === undefined ? {} : { roleId, isFromGroup }), ...(disabledAt === undefined ? {} : { disabledAt }) })
        .where(and(eq(tenantMember.tenantId, tenantId), eq(tenantMember.userId, userId)));
    },
    async remove(userId) {
      await transaction.delete(tenantMember).where(and(eq(tenantMember.tenantId, tenantId), eq(tenantMember.userId, userId)));
    },
    async countOtherOwners(userId) {
      const [row] = await transaction
        .select({ owners: count() })
        .from(tenantMember)
        .innerJoin(appUser, eq(appUser.id, tenantMember.userId))
        .innerJoin(role, and(eq(role.tenantId, tenantMember.tenantId), eq(role.id, tenantMember.roleId)))
        .where(
          and(
            eq(tenantMember.tenantId, tenantId),
            ne(tenantMember.userId, userId),
            eq(role.key, 'owner'),
            isNull(tenantMember.disabledAt),
            isNull(appUser.disabledAt),
          ),
        );
      return row?.owners ?? 0;
    },
  };
}

function toMember(row: {
  member: typeof tenantMember.$inferSelect;
  user: { email: string; name: string };
  role: typeof role.$inferSelect;
}): Member {
  return {
    userId: row.member.userId,
    email: row.user.email,
    name: row.user.name,
    role: { id: row.role.id, key: row.role.key, name: row.role.name, permissions: row.role.permissions },
    joinedAt: row.member.createdAt,
    disabledAt: row.member.disabledAt,
    isFromGroup: row.member.isFromGroup,
  };
}
