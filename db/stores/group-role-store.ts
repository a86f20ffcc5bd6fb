import { and, asc, eq, isNull, sql } from 'drizzle-orm';
import type { ClaimedGroups, GroupRoleStore } from '#lib/auth/index.ts';
import { groupRole, role, tenant } from '../schema/index.ts';
import type { TenantBinding, Transaction } from '../tenant-binding.ts';

export function bindGroupRoleStore({ transaction, scope: { tenantId } }: TenantBinding): GroupRoleStore {
  return {
    async list() {
      const rows = await transaction
        .select({ group: groupRole.groupName, role })
        .from(groupRole)
        .innerJoin(role, and(eq(role.tenantId, groupRole.tenantId), eq(role.id, groupRole.roleId)))
        .where(eq(groupRole.tenantId, tenantId))
        .orderBy(asc(groupRole.position));
      return rows.map(({ group, role: { id, key, name, permissions } }) => ({ group, role: { id, key, name, permissions } }));
    },
    async replace(groupRoles) {
      await transaction.delete(groupRole).where(eq(groupRole.tenantId, tenantId));
      if (groupRoles.length === 0) return;
      await transaction
        .insert(groupRole)
        .values(groupRoles.map(({ group, roleId }, position) => ({ tenantId, groupName: group, roleId, position })));
    },
  };
}

/** The one look across tenants: row-level security shows the rows of the groups that are named, in this transaction alone. */
export function bindClaimedGroups({ transaction }: { transaction: Transaction }): ClaimedGroups {
  return {
    async listTenantIds(groups) {
      await transaction.execute(sql`select set_config('app.claimed_groups', ${JSON.stringify(groups)}, true)`);
      const rows = await transaction
        .selectDistinct({ id: groupRole.tenantId })
        .from(groupRole)
        .innerJoin(tenant, and(eq(tenant.id, groupRole.tenantId), isNull(tenant.deletedAt)));
      return rows.map(({ id }) => id);
    },
  };
}
